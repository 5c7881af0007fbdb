// SPDX-License-Identifier: MIT
// Holds values against the types a TypeScript file declares, by the compiler's own reading of it.
import { createRequire } from 'node:module';
import { join } from 'node:path';

// The types that `file` of the folder `web` exports, by name.
export function declaredTypes(web, file) {
  const ts = createRequire(join(web, 'package.json'))('typescript');
  const program = ts.createProgram([file], { strict: true, target: ts.ScriptTarget.ES2022, noEmit: true });
  const checker = program.getTypeChecker(),
    source = program.getSourceFile(file);
  const exported = new Map(checker.getExportsOfModule(checker.getSymbolAtLocation(source)).map(symbol => [symbol.name, symbol]));
  const has = (type, flag) => (type.flags & flag) !== 0;
  const typeOfMember = member => checker.getTypeOfSymbolAtLocation(member, source);
  const told = value => JSON.stringify(value)?.slice(0, 60) ?? String(value);

  // What is wrong with a value of that type, each with its place; nothing where it fits.
  function faults(value, type, at) {
    if (has(type, ts.TypeFlags.Unknown)) return [];
    if (has(type, ts.TypeFlags.Any)) return [`${at}: its type is any, which says nothing`];
    if (type.isUnion() && !has(type, ts.TypeFlags.Boolean)) return unionFaults(value, type, at);
    if (
      has(
        type,
        ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.BooleanLiteral | ts.TypeFlags.StringLiteral | ts.TypeFlags.NumberLiteral,
      )
    ) {
      const wanted = checker.typeToString(type);
      return (typeof value === 'string' ? JSON.stringify(value) : String(value)) === wanted
        ? []
        : [`${at}: ${told(value)} is not ${wanted}`];
    }
    for (const [flag, name] of [
      [ts.TypeFlags.StringLike, 'string'],
      [ts.TypeFlags.NumberLike, 'number'],
      [ts.TypeFlags.BooleanLike, 'boolean'],
    ]) {
      if (has(type, flag)) return typeof value === name ? [] : [`${at}: ${told(value)} is not a ${name}`];
    }
    if (checker.isTupleType(type)) return tupleFaults(value, checker.getTypeArguments(type), at);
    if (checker.isArrayType(type)) {
      if (!Array.isArray(value)) return [`${at}: ${told(value)} is not a list`];
      return value.flatMap((one, i) => faults(one, checker.getTypeArguments(type)[0], `${at}[${i}]`));
    }
    return objectFaults(value, type, at);
  }

  // Of the members of a union the one counts that fits best, so that what is told is about the one that was meant.
  function unionFaults(value, type, at) {
    const all = type.types.map(one => faults(value, one, at));
    return all.reduce((best, next) => (next.length <= best.length ? next : best));
  }

  function tupleFaults(value, types, at) {
    if (!Array.isArray(value) || value.length !== types.length) return [`${at}: ${told(value)} is not a list of ${types.length}`];
    return types.flatMap((type, i) => faults(value[i], type, `${at}[${i}]`));
  }

  // Every field that must be there is, and none is there that the type does not know.
  function objectFaults(value, type, at) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at}: ${told(value)} is not an object`];
    const members = new Map(checker.getPropertiesOfType(type).map(member => [member.name, member]));
    const others = checker.getIndexInfoOfType(type, ts.IndexKind.String)?.type,
      found = [];
    for (const [name, member] of members) {
      const optional = (member.flags & ts.SymbolFlags.Optional) !== 0;
      if (name in value) found.push(...faults(value[name], memberType(member, optional), `${at}.${name}`));
      else if (!optional) found.push(`${at}.${name} is missing`);
    }
    for (const name of Object.keys(value)) {
      if (members.has(name)) continue;
      if (!others || has(others, ts.TypeFlags.Never)) found.push(`${at}.${name} is sent, and in no type`);
      else found.push(...faults(value[name], others, `${at}.${name}`));
    }
    return found;
  }

  // An optional field is missing or of its type; the server never sends it as undefined.
  const memberType = (member, optional) => (optional ? withoutUndefined(typeOfMember(member)) : typeOfMember(member));
  function withoutUndefined(type) {
    if (!type.isUnion()) return type;
    const kept = type.types.filter(one => !has(one, ts.TypeFlags.Undefined));
    return kept.length === 1 ? kept[0] : Object.assign(Object.create(type), { types: kept });
  }

  // The members of an exported interface, each as a type that can be asked for its own members and hold values.
  const wrap = type => ({
    names: () => checker.getPropertiesOfType(type).map(member => member.name),
    member: name => {
      const member = checker.getPropertyOfType(type, name);
      return member ? wrap(typeOfMember(member)) : null;
    },
    literals: () => (type.isUnion() ? type.types : [type]).map(one => one.value),
    faults: (value, at = 'it') => faults(value, type, at),
  });
  return name => wrap(checker.getDeclaredTypeOfSymbol(exported.get(name)));
}

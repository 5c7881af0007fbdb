// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UndoStack } from '../../../web/src/undo_stack';

// A stack over one number, and what the page was told.
function numbers() {
  const page = { value: 0, told: [], changes: 0 };
  const stack = new UndoStack({
    attempt: async work => {
      try {
        return await work();
      } catch (error) {
        page.told.push(`failed: ${error.message}`);
        return undefined;
      }
    },
    notify: text => page.told.push(text),
    changed: async () => {
      ++page.changes;
    },
  });
  const put = to => {
    const from = page.value;
    return stack.change(
      `put ${to}`,
      async () => (page.value = to),
      async () => {
        page.value = from;
      },
    );
  };
  return { page, stack, put };
}

test('changes are taken back from the last to the first, and made again', async () => {
  const { page, stack, put } = numbers();
  assert.equal(await put(1), 1);
  assert.equal(await put(2), 2);
  await stack.undo();
  assert.equal(page.value, 1);
  await stack.undo();
  assert.equal(page.value, 0);
  await stack.undo();
  assert.equal(page.value, 0);
  await stack.redo();
  assert.equal(page.value, 1);
  assert.deepEqual(page.told, ['Undone: put 2', 'Undone: put 1', 'Nothing to undo', 'Done again: put 1']);
  assert.equal(page.changes, 5);
});

test('a new change forgets what was undone', async () => {
  const { page, stack, put } = numbers();
  await put(1);
  await stack.undo();
  await put(5);
  await stack.redo();
  assert.equal(page.value, 5);
  assert.equal(page.told.at(-1), 'Nothing to do again');
});

test('what is undone while a change is on its way is that change', async () => {
  const { page, stack } = numbers();
  let arrive;
  const slow = stack.change(
    'slow',
    () =>
      new Promise(resolve => {
        arrive = () => {
          page.value = 9;
          resolve(9);
        };
      }),
    async () => {
      page.value = 0;
    },
  );
  const undone = stack.undo();
  await new Promise(resolve => setTimeout(resolve, 5));
  assert.equal(page.value, 0);
  arrive();
  assert.equal(await slow, 9);
  await undone;
  assert.equal(page.value, 0);
  assert.equal(page.told.at(-1), 'Undone: slow');
});

test('a change that failed cannot be undone, and others go on', async () => {
  const { page, stack, put } = numbers();
  await put(1);
  assert.equal(
    await stack.change(
      'bad',
      async () => {
        throw new Error('no');
      },
      async () => {
        page.value = -1;
      },
    ),
    undefined,
  );
  await stack.undo();
  assert.equal(page.value, 0);
  assert.deepEqual(page.told, ['failed: no', 'Undone: put 1']);
});

test('a hundred changes are remembered', async () => {
  const { page, stack, put } = numbers();
  for (let i = 1; i <= 103; ++i) await put(i);
  for (let i = 0; i < 110; ++i) await stack.undo();
  assert.equal(page.value, 3);
});

// SPDX-License-Identifier: MIT
// Nothing of its own: it carries the precompiled headers of all tests.

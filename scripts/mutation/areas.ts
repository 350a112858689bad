/** The code that protects people: a sample takes as much of one as of another. A folder within another one is no part of that. */
export const areas = [
  'packages/rules/src',
  'apps/server/src/areas/control',
  'apps/server/src/field/orders',
  'apps/server/src/field',
  'apps/server/src/store',
] as const

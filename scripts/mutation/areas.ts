/** The code that protects people: a sample takes as much of one as of another. */
export const areas = [
  'packages/rules/src',
  'apps/server/src/areas/control',
  'apps/server/src/field',
  'apps/server/src/store',
] as const

/**
 * Oracles and sweeps that `npm test` leaves to `npm run test:long`: servers and databases killed again and again, every model, calls and
 * packets of chance, weeks of faults. What they look for changes seldom, and each takes as long as an area.
 */
export const longRun = [
  'tests/stack/account/peppers.test.ts',
  'tests/stack/alarm/killed-database.test.ts',
  'tests/stack/alarm/killed.test.ts',
  'tests/stack/alarm/upstream-trips.test.ts',
  'tests/stack/control/faults.test.ts',
  'tests/stack/equipment/every-model.test.ts',
  'tests/stack/http/mutated-calls.test.ts',
  'tests/stack/http/wrong-signatures.test.ts',
  'tests/stack/site/demo-past-interrupted.test.ts',
  'tests/stack/warning/faults-over-the-wire.test.ts',
  'tests/stack/warning/undo-killed.test.ts',
  'tests/stack/workorder/killed.test.ts',
  'tests/stack/workorder/loaded-days.test.ts',
]

/**
 * What `npm test` leaves to `npm run test:long`, by file or by `file › title`: servers and databases killed again and again, every model, calls
 * and packets of chance, weeks of faults, thousands of rows. What they look for changes seldom, and each takes as long as an area.
 */
export const longRun = [
  'apps/server/src/store/embedded/initialise.test.ts',
  'apps/server/src/store/embedded/roles.test.ts',
  'tests/stack/account/peppers.test.ts',
  'tests/stack/alarm/killed-database.test.ts',
  'tests/stack/alarm/killed.test.ts',
  'tests/stack/alarm/upstream-trips.test.ts',
  'tests/stack/automation/timer-plan.test.ts › of two thousand timers of one line it is said up to when they were looked at, and the server answers others meanwhile',
  'tests/stack/control/faults.test.ts',
  'tests/stack/equipment/every-model.test.ts',
  'tests/stack/field/orderly-stop.test.ts',
  'tests/stack/firmware/firmware-restart.test.ts',
  'tests/stack/firmware/firmware.test.ts › a power loss in the middle of the download goes on from what was kept',
  'tests/stack/firmware/firmware.test.ts › a power loss while installing leaves the old version running, and it is tried again',
  'tests/stack/http/database-away.test.ts',
  'tests/stack/http/doors.test.ts',
  'tests/stack/http/mutated-calls.test.ts',
  'tests/stack/http/wrong-signatures.test.ts',
  'tests/stack/site/demo-past-interrupted.test.ts',
  'tests/stack/site/restored.test.ts',
  'tests/stack/warning/faults-over-the-wire.test.ts',
  'tests/stack/warning/findings.test.ts › a file has the findings in the order of the list, and more than a file holds are refused with what to do',
  'tests/stack/warning/nightly.test.ts › days that come late find what they would have found, and call for nobody',
  'tests/stack/warning/nightly.test.ts › two servers that evaluate at once raise each finding once, and find what one would: day after day',
  'tests/stack/warning/nightly.test.ts › what was over before anybody looked calls for nobody; what is there still calls once, on the last day',
  'tests/stack/warning/nightly.test.ts › whoever is interrupted leaves the day due, and nothing of it is kept',
  'tests/stack/warning/undo-killed.test.ts',
  'tests/stack/workorder/killed.test.ts',
  'tests/stack/workorder/loaded-days.test.ts',
  'tests/stack/workorder/returned.test.ts',
] as const

const between = ' › '

/** Files that are left out whole, by their path from the root. */
export const leftFiles: readonly string[] = longRun.filter((each) => !each.includes(between))

/** Tests that are left out of other files. */
export const leftTests: readonly { readonly file: string; readonly title: string }[] = longRun.flatMap((each) => {
  const [file = '', title] = each.split(between)
  return title === undefined ? [] : [{ file, title }]
})

/**
 * What `npm test` leaves to `npm run test:long`, by file or by `file › title`: servers and databases killed again and again, every model, calls
 * and packets of chance, weeks of faults, thousands of rows. What they look for changes seldom, and each takes as long as an area.
 */
export const longRun = [
  'apps/server/src/areas/inspection/round-progress.test.ts › whatever comes in whatever order, it is counted as all that is held is',
  'apps/server/src/audit/copy.test.ts › what happened while it was away is made up for, thousands of entries too, and nothing is written twice',
  'apps/server/src/photos/photos.test.ts › so many begun and never finished, of one account',
  'apps/server/src/store/embedded/embedded.test.ts › never gives away a file outside the data folder that a link in it points to',
  'apps/server/src/store/embedded/embedded.test.ts › replaces the running server of an older Linewarden, whose settings are not ours',
  'apps/server/src/store/embedded/embedded.test.ts › runs for root as `nobody` where there are no user namespaces, or says what to do',
  'apps/server/src/store/embedded/embedded.test.ts › starts in a folder whose name a shell or a list of folders would read as something else',
  'apps/server/src/store/embedded/embedded.test.ts › starts in folders with blanks, Chinese letters, and a path longer than a socket may have',
  'apps/server/src/store/embedded/initialise.test.ts',
  'apps/server/src/store/embedded/roles.test.ts',
  'tests/stack/account/peppers.test.ts',
  'tests/stack/alarm/killed-database.test.ts',
  'tests/stack/alarm/killed.test.ts',
  'tests/stack/alarm/platform-restart.test.ts',
  'tests/stack/alarm/upstream-trips.test.ts',
  'tests/stack/audit/refused-attempts.test.ts › one password tried on many accounts slows their network down, then locks it, and no other network',
  'tests/stack/automation/linkage-broken.test.ts',
  'tests/stack/automation/linkage-chain.test.ts',
  'tests/stack/automation/linkage-later.test.ts',
  'tests/stack/automation/linkage-order.test.ts › where a trip fails the linkage closes nothing, nor does a scene of it, and says so',
  'tests/stack/automation/linkage-restart.test.ts',
  'tests/stack/automation/linkage-rights.test.ts',
  'tests/stack/automation/linkage-scenes.test.ts',
  'tests/stack/automation/scene-owners.test.ts',
  'tests/stack/automation/timed-scenes.test.ts',
  'tests/stack/automation/timer-plan.test.ts › of two thousand timers of one line it is said up to when they were looked at, and the server answers others meanwhile',
  'tests/stack/automation/timer-rights.test.ts',
  'tests/stack/control/faults.test.ts',
  'tests/stack/equipment/device-token.test.ts › whoever holds the token sees this one detector and silences it, and the log says that a token did',
  'tests/stack/equipment/every-model.test.ts',
  'tests/stack/field/orderly-stop.test.ts',
  'tests/stack/firmware/firmware-restart.test.ts',
  'tests/stack/firmware/firmware.test.ts › a power loss in the middle of the download goes on from what was kept',
  'tests/stack/firmware/firmware.test.ts › a power loss while installing leaves the old version running, and it is tried again',
  'tests/stack/history/history.test.ts › ends when its reader goes away, and takes no place from the next',
  'tests/stack/http/database-away.test.ts',
  'tests/stack/http/doors.test.ts',
  'tests/stack/http/mutated-calls.test.ts',
  'tests/stack/http/wrong-signatures.test.ts',
  'tests/stack/push/push.test.ts › what was accepted and not yet processed when the server stopped is processed by the next',
  'tests/stack/site/demo-past-interrupted.test.ts',
  'tests/stack/site/restored.test.ts',
  'tests/stack/site/unknown-gateways.test.ts › a flood of two thousand names keeps five hundred, the newest, in memory and on disk, and gateways go on reporting',
  'tests/stack/warning/faults-over-the-wire.test.ts',
  'tests/stack/warning/findings.test.ts › a file has the findings in the order of the list, and more than a file holds are refused with what to do',
  'tests/stack/warning/ground-truth.test.ts › the same seed brings the same lines, and so the same findings',
  'tests/stack/warning/load-again.test.ts',
  'tests/stack/warning/nightly.test.ts › days that come late find what they would have found, and call for nobody',
  'tests/stack/warning/nightly.test.ts › two servers that evaluate at once raise each finding once, and find what one would: day after day',
  'tests/stack/warning/nightly.test.ts › what was over before anybody looked calls for nobody; what is there still calls once, on the last day',
  'tests/stack/warning/nightly.test.ts › whoever is interrupted leaves the day due, and nothing of it is kept',
  'tests/stack/warning/undo-killed.test.ts',
  'tests/stack/workorder/killed.test.ts',
  'tests/stack/workorder/loaded-days.test.ts',
  'tests/stack/workorder/returned.test.ts',
  'tests/stack/workorder/several.test.ts',
] as const

const between = ' › '

/** Files that are left out whole, by their path from the root. */
export const leftFiles: readonly string[] = longRun.filter((each) => !each.includes(between))

/** Tests that are left out of other files. */
export const leftTests: readonly { readonly file: string; readonly title: string }[] = longRun.flatMap((each) => {
  const [file = '', title] = each.split(between)
  return title === undefined ? [] : [{ file, title }]
})

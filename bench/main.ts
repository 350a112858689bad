// `npm run bench NAME [--seconds N] [--kills N] [--rounds N] [--lines N] [--part NAME] ...`: one benchmark; its last line is its result as JSON.
import { alarms } from './alarms.ts'
import { authorisation } from './authorisation.ts'
import { backTest } from './back-test.ts'
import { bundle } from './bundle.ts'
import { detectors } from './detectors.ts'
import { doors } from './doors.ts'
import { energy } from './energy.ts'
import { exam } from './exam.ts'
import { dueFaults } from './faults/due-faults.ts'
import { lateCommands } from './faults/late-commands.ts'
import { races } from './faults/races.ts'
import { floods } from './floods.ts'
import { historyBench } from './history.ts'
import { importBench } from './import.ts'
import { ingest } from './ingest.ts'
import { latency } from './latency.ts'
import { linkLoss } from './link-loss.ts'
import { linkage } from './linkage.ts'
import { lists } from './lists.ts'
import { liveTable } from './live-table.ts'
import { loginTiming } from './login-timing.ts'
import { nightly } from './nightly.ts'
import { reports } from './reports.ts'
import { restart } from './restart.ts'
import { rounds } from './rounds.ts'
import { settings } from './settings.ts'
import { timers } from './timers.ts'
import { unacknowledged } from './unacknowledged.ts'
import { walk } from './walk.ts'
import { wall } from './wall.ts'
import { warnings } from './warnings.ts'
import { workorders } from './work-orders.ts'

const benches: Readonly<Record<string, (options: Record<string, number>, part: string) => Promise<void>>> = {
  alarms,
  authorisation,
  'back-test': backTest,
  bundle,
  detectors,
  doors,
  'due-faults': dueFaults,
  energy,
  exam,
  floods,
  history: historyBench,
  import: importBench,
  ingest,
  latency,
  'late-commands': lateCommands,
  'link-loss': linkLoss,
  linkage,
  lists,
  'live-table': liveTable,
  'login-timing': loginTiming,
  races,
  nightly,
  reports,
  restart,
  rounds,
  settings,
  timers,
  unacknowledged,
  walk,
  wall,
  warnings,
  workorders,
}
const [name = '', ...rest] = process.argv.slice(2)
const bench = benches[name]
if (!bench) {
  process.stderr.write(`Which benchmark? Known: ${Object.keys(benches).join(', ')}\n`)
  process.exit(1)
}
const options: Record<string, number> = {}
for (const [index, word] of rest.entries()) if (word.startsWith('--')) options[word.slice(2)] = Number(rest[index + 1])
const part = rest.includes('--part') ? (rest[rest.indexOf('--part') + 1] ?? '') : ''
await bench(options, part)
process.exit(0)

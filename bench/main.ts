// `npm run bench NAME [--seconds N] [--kills N]`: one benchmark; its last line is its result as JSON.
import { ingest } from './ingest.ts'
import { latency } from './latency.ts'
import { restart } from './restart.ts'

const benches = { ingest, latency, restart } as const
const [name, ...rest] = process.argv.slice(2)
if (name !== 'ingest' && name !== 'latency' && name !== 'restart') {
  process.stderr.write(`Which benchmark? Known: ${Object.keys(benches).join(', ')}\n`)
  process.exit(1)
}
const option = (flag: string): Record<string, number> => {
  const value = rest[rest.indexOf(`--${flag}`) + 1]
  return rest.includes(`--${flag}`) && value !== undefined ? { [flag]: Number(value) } : {}
}
await benches[name]({ ...option('seconds'), ...option('kills'), ...option('rounds') })
process.exit(0)

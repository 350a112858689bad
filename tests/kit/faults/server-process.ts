// A server in a process of its own that ends by SIGKILL at a chosen statement to the database, and whose clock its parent moves on.
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import pg from 'pg'
import { pino } from 'pino'
import type { FromServer, ToServer } from './server-words.ts'

let ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0)
let dueAhead = Number(process.env.DUE_AHEAD_MS ?? 0)
let point: { readonly matches: RegExp; readonly after: boolean; readonly pid: number; left: number } | null = null
/** Connections on which what is waited for has begun: from then on each of their statements counts, COMMIT among them. */
let counted = new WeakSet<object>()

const query = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown
pg.Client.prototype.query = function killed(this: pg.Client, ...given: unknown[]): unknown {
  const [first] = given
  const text = typeof first === 'string' ? first : ((first as { text?: string } | null)?.text ?? '')
  if (point?.matches.test(text)) counted.add(this)
  if (!point || !counted.has(this)) return query.apply(this, given)
  point.left -= 1
  if (point.left > 0) return query.apply(this, given)
  if (!point.after) end()
  const result = query.apply(this, given)
  if (result instanceof Promise) result.then(end, end)
  else end()
  return result
} as typeof pg.Client.prototype.query

/** Once: it may be the database, after which this process goes on. */
function end(): void {
  const pid = point?.pid
  point = null
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

const server = await compose(readConfig(process.env), {
  log: pino({ level: 'fatal' }, process.stderr),
  clock: () => Date.now() + ahead,
  env: {},
  ...(process.env.DUE_AHEAD_MS !== undefined && { dueClock: () => Date.now() + dueAhead }),
})
const answer = (word: FromServer) => process.send?.(word)

process.on('message', async (word: ToServer) => {
  if (word.do === 'kill' || word.do === 'spare') {
    counted = new WeakSet()
    point =
      word.do === 'spare'
        ? null
        : { matches: new RegExp(word.matches, 'i'), after: word.after, pid: word.pid ?? process.pid, left: word.nth }
  }
  if (word.do === 'ahead') ahead = word.ms
  if (word.do === 'dueAhead') dueAhead = word.ms
  // The database may be away: whoever asks looks whether it was done.
  if (word.do === 'evaluate') await server.warning.nightly.look().catch(() => {})
  if (word.do === 'inspect') await server.inspection.look().catch(() => {})
  answer({ done: word.do })
})
// The parent has gone.
process.on('disconnect', () => process.exit(0))
answer({ url: server.url, mqttPort: server.mqttPort })

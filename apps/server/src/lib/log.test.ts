import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('a database connection that broke is named, without what the driver keeps of it', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const client = { connectionParameters: { host: 'db' }, activeQuery: { text: 'select secret' } }
  const error = Object.assign(new Error('Connection terminated unexpectedly'), { code: '57P01', client })
  log.child({ about: 'x' }).error({ err: error }, 'lost')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: 'lost',
    err: { message: 'Connection terminated unexpectedly', code: '57P01' },
  })
  expect(lines[0]).not.toContain('client')
  expect(error.client).toBe(client)
})

import { pino } from 'pino'
import { expect, test } from 'vitest'
import { caught, faultsCounted, guarded, isOfConnection } from './faults.ts'

interface Line {
  readonly border: string
  readonly err: { readonly message: string }
}

function listening() {
  const lines: Line[] = []
  return { lines, log: pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line)) }) }
}

const countOf = async (border: string) =>
  (await faultsCounted.get()).values.find(({ labels }) => labels.border === border)?.value ?? 0

test('a bug that is brought about a thousand times is counted a thousand times and logged once', async () => {
  const { lines, log } = listening()
  const before = await countOf('live')
  const work = guarded(log, 'live', (number: number) => {
    throw new Error(`number ${number}`)
  })
  for (let number = 0; number < 1_000; number++) work(number)
  expect(lines.map(({ border, err }) => [border, err.message])).toEqual([['live', 'number 0']])
  expect((await countOf('live')) - before).toBe(1_000)
})

test('another bug is logged beside it', () => {
  const { lines, log } = listening()
  caught(log, 'timer', new TypeError('one'))
  caught(log, 'timer', new RangeError('another'))
  caught(log, 'timer', 'no error at all')
  expect(lines).toHaveLength(3)
})

test('work that fails later is caught too', async () => {
  const { lines, log } = listening()
  guarded(log, 'job', async () => {
    throw new SyntaxError('later')
  })()
  await expect.poll(() => lines.length).toBe(1)
})

const withCode = (code: string) => Object.assign(new Error(code), { code })

test.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ERR_STREAM_DESTROYED'])('%s is only a connection that has gone', (code) =>
  expect(isOfConnection(withCode(code))).toBe(true),
)

test.each([withCode('ENOSPC'), withCode('ERR_ASSERTION'), new TypeError('x'), 'ECONNRESET', null])(
  '%s is not only a connection that has gone',
  (error) => expect(isOfConnection(error)).toBe(false),
)

import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { addKey, ledger } from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

const folder = fileURLToPath(new URL('../../../docs/examples', import.meta.url))
const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0
if (!python)
  console.warn('skipped: python3 (3.9 or newer) is not on this machine, and the client in docs/examples is written in it')

/** What a script prints, and how it ends. */
async function run(script: string, given: readonly string[], input = '') {
  const child = spawn('python3', ['-W', 'error', join(folder, script), ...given], {
    cwd: folder,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  child.stdin.end(input)
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ])
  return { out, err, code }
}

test.runIf(python)('the script still makes the vectors of the signature', async () => {
  const { out, err } = await run('signature_vectors.py', [])
  expect([out, err]).toEqual([readFileSync(join(folder, 'signature_vectors.json'), 'utf8'), ''])
})

describe.runIf(python)('the client in Python', () => {
  let stack: Stack

  beforeAll(async () => {
    stack = await startStack({ plan: smallPlan })
  })
  afterAll(() => stack?.close())

  const operate = (line: readonly string[], password = stack.admin.password) =>
    run('linewarden.py', [stack.url, stack.admin.userName, ...line], `${password}\n`)

  test('reads a line and trips it: the breaker opens, and the equipment is what says so', async () => {
    const { out, err, code } = await operate(['A-T1', '1', 'test: 检修 1.0'])
    expect([err, code]).toEqual(['', 0])
    const [line, order] = out
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each))
    expect(line).toMatchObject({ States: { position: 'closed' } })
    expect(order).toMatchObject({ State: 'verified' })
    expect(stack.server.plant.lineAt('A-T1', 1)?.states.get('position')).toBe('open')
    const [entry] = (await stack.client.call(ledger, { query: { ControllerID: 'A-T1', LineNo: 1 } })).items
    expect(entry?.Command).toMatchObject({ CommandID: order.CommandID, Action: 'trip', Reason: { zh: 'test: 检修 1.0' } })
  })

  test('comes in by an API key, which reads and does not operate', async () => {
    const HouseID = stack.server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
    const { Key, Secret } = await stack.client.call(addKey, { body: { Name: 'Python', Projects: [HouseID], Days: 1 } })
    const by = (...given: string[]) => run('linewarden.py', [stack.url, Key.KeyID, 'A-T1', ...given], `${Secret}\n`)
    expect(JSON.parse((await by('2')).out)).toMatchObject({ States: { position: 'closed' } })
    expect((await by('2', 'reason')).err).toContain('key may not (HTTP 403)')
  })

  test('says what the server said: a line that there is not, a wrong password', async () => {
    expect((await operate(['nope', '1'])).err).toContain('device not exists (HTTP 404)')
    expect((await operate(['A-T1', '1'], 'wrong')).err).toContain('User name or password error')
  })
})

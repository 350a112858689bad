import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { isAlive } from './postmaster.ts'

const retrying = { interval: 20 }

it('a running process is alive, an ended one is not', async () => {
  expect(await isAlive(process.pid)).toBe(true)
  const child = spawn('true')
  await once(child, 'exit')
  expect(await isAlive(child.pid!)).toBe(false)
})

// A killed postmaster stays visible like this until its parent looks; where Node is process 1, for ever.
it.runIf(process.platform === 'linux')('a dead process that nobody has buried is not alive', async () => {
  // `exec` makes a parent that never waits for its child.
  const parent = spawn('sh', ['-c', 'tail -f /dev/null & echo $!; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const [line] = await once(createInterface({ input: parent.stdout }), 'line')
  const zombie = Number(line)
  await expect.poll(() => readFile(`/proc/${parent.pid}/comm`, 'utf8'), retrying).toBe('cat\n')
  expect(await isAlive(zombie)).toBe(true)
  process.kill(zombie, 'SIGKILL')
  await expect.poll(() => isAlive(zombie), retrying).toBe(false)
  // Still in the process table: the signal finds it.
  expect(() => process.kill(zombie, 0)).not.toThrow()
  const gone = once(parent, 'exit')
  parent.kill('SIGKILL')
  await gone
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { pino } from 'pino'
import { expect, test } from 'vitest'

/** `npm start` as a process: runs until everything in the field is heard, then is told to stop. Answers what it printed. */
async function demoUntilStopped(env: NodeJS.ProcessEnv): Promise<string> {
  const demo = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/demo.ts'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  demo.stdout.on('data', (some: Buffer) => {
    if (!printed.includes('Stop with') && (printed + some).includes('Stop with')) demo.kill('SIGINT')
    printed += some
  })
  await once(demo, 'exit')
  return printed
}

test('stopping server and demo in order is no fault of the gateways', { timeout: 360_000 }, async () => {
  const LINEWARDEN_DATA = await mkdtemp(join(tmpdir(), 'linewarden-stop-'))
  const began = new Date()
  const env = { LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_DATA }
  try {
    const printed = await demoUntilStopped(env)
    expect(printed).toContain('Stopped. The data is kept.')
    // Read by a person: no line of it is meant for machines.
    expect(printed).not.toContain('{"level"')
    const server = await compose(readConfig({ ...env, LINEWARDEN_LOG: 'error' }), {
      log: pino({ level: 'error' }, process.stderr),
      clock: Date.now,
      env: {},
    })
    const client = await server.database.connect()
    // The demo's past has outages of its own.
    const { rows } = await client.query(
      "select key from event where (key like 'gateway.%' or key like 'device.%') and coalesce(raised_again_at, raised_at) >= $1",
      [began],
    )
    await client.end()
    // How they stand is not known until they are heard; that one stays away is told once it has been silent as long. What a platform had
    // pushed for the smoke detector may still be in the inbox, and is taken at the start.
    const reporting = [...server.plant.gateways.values()].filter(
      ({ link, number }) => link !== 'never' && number !== 'NB-SMOKE-01',
    )
    await server.close()
    expect(rows).toEqual([])
    expect(reporting.length).toBeGreaterThan(10)
    expect(new Set(reporting.map(({ link, linkReason }) => `${link} ${linkReason}`))).toEqual(new Set(['stale restart']))
  } finally {
    await rm(LINEWARDEN_DATA, { recursive: true, force: true })
  }
})

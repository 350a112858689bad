import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, md5Hex } from '@linewarden/client'
import {
  beginSecondFactor,
  confirmSecondFactor,
  editUser,
  giveSecondFactor,
  grantControl,
  listJournal,
  login,
  proveSession,
  userInfo,
} from '@linewarden/contract'
import type { Server } from '@linewarden/server/compose'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt, stepOf } from '../../kit/authenticator.ts'
import { peopleChosePasswords } from '../../kit/chosen-passwords.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { sessionOf } from '../../kit/stack.ts'

let dataDir = ''
let server: Server | null = null
const file = (name: string) => join(dataDir, 'secrets', name)
const log = pino({ level: 'silent' })

async function start(env: Record<string, string> = {}): Promise<Server> {
  const config = readConfig({
    LINEWARDEN_PORT: '0',
    LINEWARDEN_MQTT_PORT: '0',
    LINEWARDEN_DATA: dataDir,
    LINEWARDEN_LOG: 'silent',
    ...env,
  })
  server = await compose(config, { log, clock: Date.now, env: {} })
  return server
}
async function stop(): Promise<void> {
  await server?.close()
  server = null
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'linewarden-peppers-'))
})
afterAll(async () => {
  await stop()
  await rm(dataDir, { recursive: true, force: true })
})

const versions = async (url: string) =>
  [...(await (await fetch(`${url}/metrics`)).text()).matchAll(/linewarden_under_pepper\{version="(\d+)"/g)].map(
    ([, version]) => version,
  )

test('a pepper is replaced while nobody signs in anew; the old one goes; one that is lost is missed in words', {
  timeout: 120_000,
}, async () => {
  const first = await start()
  await peopleChosePasswords(first)
  const admin = first.accounts.firstPassword ?? expect.fail('the first start prints a password')
  const session = await sessionOf(first.url, admin)
  const at = ({ url }: Server) => createClient({ baseUrl: url, session: () => session })
  const control = { ControlPassword: md5Hex('Control-7391'), OldPasswordMD5: md5Hex(admin.password) }
  await at(first).call(editUser, { body: { AccountID: session.userId, ...control } })
  await at(first).call(beginSecondFactor, { body: { Password: md5Hex(admin.password) } })
  const engineer = { userName: 'engineer', password: 'Engineer-7391' }
  await first.accounts.createAccount({ ...engineer, kind: 'project' })
  const enrolling = await sessionOf(first.url, engineer)
  const app = createClient({ baseUrl: first.url, session: () => enrolling })
  const { Key } = await app.call(beginSecondFactor, { body: { Password: md5Hex(engineer.password) } })
  const { RecoveryCodes } = await app.call(confirmSecondFactor, { body: { Code: codeAt(Key, Date.now()) } })
  const trip = { Password: md5Hex('Control-7391'), Operation: 'trip:A-T1/1' }
  await stop()

  await writeFile(file('pepper.2'), `${'a second pepper '.repeat(3)}\n`)
  const second = await start()
  await second.resealed
  expect(new Set(await versions(second.url))).toEqual(new Set(['2']))
  await stop()

  await rename(file('pepper'), file('pepper.gone'))
  const third = await start()
  // The session from before both restarts, the password and the control password: nobody had to do anything.
  expect((await at(third).call(userInfo)).UserName).toBe('admin')
  expect(await outcomeOf(at(third).call(proveSession, { body: { Password: md5Hex(admin.password) } }))).toBe('done')
  expect(await outcomeOf(at(third).call(grantControl, { body: trip }))).toBe('done')
  expect((await sessionOf(third.url, admin)).userId).toBe(session.userId)
  await stop()

  await rename(file('pepper.2'), file('pepper.lost'))
  await expect(start()).rejects.toMatchObject({ code: 'missing_pepper' })

  await writeFile(file('pepper.3'), 'the third pepper '.repeat(3))
  await expect(start()).rejects.toMatchObject({ code: 'missing_pepper' })
  const fourth = await start({ LINEWARDEN_PEPPERS_GIVEN_UP: '2' })
  expect(await outcomeOf(at(fourth).call(userInfo))).toBe('session expired')
  // A stranger is told nothing of it, the log is.
  const open = createClient({ baseUrl: fourth.url, session: () => null })
  const signIn = open.call(login, { body: { UserName: admin.userName, Password: md5Hex(admin.password) } })
  expect(await outcomeOf(signIn)).toBe('User name or password error')
  await fourth.accounts.createAccount({ userName: 'helper', password: 'Helper-7391', kind: 'platform' })
  const helper = await sessionOf(fourth.url, { userName: 'helper', password: 'Helper-7391' })
  const client = createClient({ baseUrl: fourth.url, session: () => helper })
  const { items } = await client.call(listJournal, { body: { Actor: 'admin', Action: 'login', Size: 5 } })
  expect(items[0]).toMatchObject({ Outcome: 'refused', After: expect.stringContaining('password lost') })
  // The app's key stood under it as well: that is said in words, and a recovery code lets in.
  await client.call(editUser, { body: { AccountID: enrolling.userId, PasswordMD5: md5Hex('Second-7391') } })
  const begin = () => sessionOf(fourth.url, { ...engineer, password: 'Second-7391' })
  const give = async (Code: string) => outcomeOf(open.call(giveSecondFactor, { body: { Step: await stepOf(begin()), Code } }))
  expect(await give(codeAt(Key, Date.now()))).toBe('second factor lost')
  expect(await give(RecoveryCodes[0] ?? '')).toBe('done')
  await client.call(editUser, { body: { AccountID: session.userId, PasswordMD5: md5Hex('Again-7391') } })
  const again = await sessionOf(fourth.url, { userName: 'admin', password: 'Again-7391' })
  const mended = createClient({ baseUrl: fourth.url, session: () => again })
  // Its control password is lost too: that stands before no trip, and before everything else.
  expect(await outcomeOf(mended.call(grantControl, { body: trip }))).toBe('done')
  const close = { ...trip, Operation: 'close:A-T1/1' }
  expect(await outcomeOf(mended.call(grantControl, { body: close }))).toBe('control password lost')

  // Nobody knows an administrator's password any more.
  const database = await fourth.database.connect()
  await database.query("update account set user_name = user_name || '-before', disabled = true where kind = 'platform'")
  await database.end()
  await stop()
  const fifth = await start({ LINEWARDEN_PEPPERS_GIVEN_UP: '2' })
  const anew = fifth.accounts.firstPassword ?? expect.fail('nobody runs the installation')
  expect((await sessionOf(fifth.url, anew)).userId).not.toBe(session.userId)
  await stop()
})

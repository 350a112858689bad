import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { withSecretFiles } from './secret-files.ts'

const secret = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6'
let folder: string
const put = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewarden-secrets-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('every secret setting may stand in a file, with the end of its line', async () => {
  const config = readConfig(
    withSecretFiles({
      DATABASE_URL_FILE: await put('database', 'postgres://l:geheim@localhost/l\n'),
      LINEWARDEN_PARTNER_FILE: await put('partner', `gd:${secret}\r\n`),
      LINEWARDEN_OIDC_ISSUER: 'https://id.example.com',
      LINEWARDEN_OIDC_CLAIM: 'employee_number',
      LINEWARDEN_OIDC_CLIENT_FILE: await put('client', `linewarden:${secret}`),
    }),
  )
  expect(config.databaseUrl).toBe('postgres://l:geheim@localhost/l')
  expect(config.partner).toEqual({ appId: 'gd', secret })
  expect(config.signOn).toMatchObject({ clientId: 'linewarden', clientSecret: secret })
  expect(withSecretFiles({ LINEWARDEN_PEPPER_FILE: await put('pepper', `2:${secret}`) })).toEqual({
    LINEWARDEN_PEPPER: `2:${secret}`,
  })
})

test('what is no secret has no such setting', async () => {
  const file = await put('host', '0.0.0.0')
  expect(() => readConfig(withSecretFiles({ LINEWARDEN_HOST_FILE: file }))).toThrow('there is no such setting')
})

test('a secret that is set twice, a file that is not there and an empty one end the start by their name, and tell no secret', async () => {
  const file = await put('own', secret)
  const both = () => withSecretFiles({ LINEWARDEN_PEPPER: secret, LINEWARDEN_PEPPER_FILE: file })
  expect(both).toThrow(/^LINEWARDEN_PEPPER_FILE=.*LINEWARDEN_PEPPER is set too/)
  expect(both).not.toThrow(secret)
  expect(() => withSecretFiles({ LINEWARDEN_PEPPER_FILE: join(folder, 'none') })).toThrow('cannot be read (ENOENT)')
  const empty = await put('empty', '\n')
  expect(() => withSecretFiles({ LINEWARDEN_PARTNER_FILE: empty })).toThrow('the file is empty')
})

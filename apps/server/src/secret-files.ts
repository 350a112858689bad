import { readFileSync } from 'node:fs'
import { BadSetting } from './lib/environment.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The settings that are secret, or hold one. */
const secrets = [
  'DATABASE_URL',
  'LINEWARDEN_PEPPER',
  'LINEWARDEN_PARTNER',
  'LINEWARDEN_OIDC_CLIENT',
  'LINEWARDEN_PHOTO_BUCKET_KEY',
  'LINEWARDEN_SMTP_URL',
] as const

/**
 * Each secret setting may be named as a file instead (`LINEWARDEN_PEPPER_FILE`), as containers and vaults hand them out: what is in the
 * environment is read by every child process and shown by the tools of the machine. Answers the settings with what the files say.
 */
export function withSecretFiles(env: Environment): Environment {
  const found = { ...env }
  for (const name of secrets) {
    const fileName = `${name}_FILE`
    const path = env[fileName]
    if (path === undefined) continue
    delete found[fileName]
    if (env[name] !== undefined)
      throw new BadSetting(fileName, path, `${name} is set too; give one of them`, `${name} 已设置；二者只能设置其一`)
    found[name] = secretIn(fileName, path)
  }
  return found
}

/** Never with the secret in its message. */
function secretIn(fileName: string, path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new BadSetting(fileName, path, `the file cannot be read (${why})`, `无法读取该文件（${why}）`)
  }
  if (text === '') throw new BadSetting(fileName, path, 'the file is empty', '该文件为空')
  return text
}

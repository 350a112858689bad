import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../../apps/server/src/http/openapi.ts'

const redocly = fileURLToPath(new URL('../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url))

/** What the specification's own paths are, and what no 2xx answers: a socket and a way to another site. */
const rules = `extends: [recommended]
rules:
  no-path-trailing-slash: off
  no-ambiguous-paths: off
  operation-2xx-response: off
`

test.runIf(existsSync(redocly))('the description of the API has nothing that Redocly warns of', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linewarden-openapi-'))
  try {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(openApiDocument()))
    await writeFile(join(folder, 'redocly.yaml'), rules)
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' }
    const child = spawn(process.execPath, [redocly, 'lint', 'openapi.json', '--format=json'], { cwd: folder, env })
    const [out] = await Promise.all([text(child.stdout), text(child.stderr)])
    const { totals, problems } = JSON.parse(out) as { totals: object; problems: { ruleId: string; message: string }[] }
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

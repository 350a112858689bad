import { writeFileSync } from 'node:fs'
import { devicesDocument } from './devices-document.ts'
import { faultsDocument } from './faults-document.ts'

for (const [name, text] of [
  ['devices.md', devicesDocument()],
  ['faults.md', faultsDocument()],
] as const) {
  writeFileSync(new URL(`../docs/${name}`, import.meta.url), text)
  process.stdout.write(`docs/${name} is up to date\n`)
}

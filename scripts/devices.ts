import { writeFileSync } from 'node:fs'
import { devicesDocument } from './devices-document.ts'

const file = new URL('../docs/devices.md', import.meta.url)
writeFileSync(file, devicesDocument())
process.stdout.write('docs/devices.md is up to date\n')

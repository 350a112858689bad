import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { canBePushed, familyOfModel } from '@linewarden/equipment'
import type { ControlRequest } from './control/requests.ts'
import { askControl } from './control/socket.ts'
import { startPushing } from './push/pusher.ts'

const help = `Faults for the running demo (npm start):

  npm run simulate -- list                                     what is there, and what can happen to it
  npm run simulate -- inject <gateway|device[/line]> <fault> [name=value ...]
                                                               e.g. inject WH01-G1 gasLeak, inject WH06-T1/2 contactHeating excessK=40 over=2h
  npm run simulate -- play <scenario.yaml>                     a scenario, step by step
  npm run simulate -- record <device[/line]> <seconds> <file>  what it reports, once a second
  npm run simulate -- replay <file> [--speed 10] [--onto recorded=device]
  npm run simulate -- stop                                     ends what is playing

  npm run simulate -- push <onenet|ctwing> <address> --secret <secret> --product <id> --device <IMEI or gateway number>
      [--model NT8141] [--every 10] [--aes <key>] [--fault smoke]   a detector that the platform pushes for, until Ctrl-C

--data <folder> names the demo's data folder (default: LINEWARDEN_DATA, else data).
`

class Misused extends Error {}

/** Reads the command line; a file is read here, so that its path means what it means to whoever typed it. */
function requestOf(
  [command, ...words]: readonly string[],
  options: { speed: number; onto: Record<string, string> },
): ControlRequest {
  const word = (i: number, what: string): string => {
    const found = words[i]
    if (found === undefined) throw new Misused(`${command ?? ''} needs ${what}`)
    return found
  }
  switch (command) {
    case 'list':
    case 'stop':
      return { do: command }
    case 'inject':
      return { do: 'inject', target: word(0, 'a target'), fault: word(1, 'a fault'), given: givenOf(words.slice(2)) }
    case 'play':
      return { do: 'play', scenario: readFileSync(word(0, 'a file'), 'utf8') }
    case 'replay':
      return { do: 'replay', incident: readFileSync(word(0, 'a file'), 'utf8'), ...options }
    case 'record':
      word(2, 'a file to write')
      return { do: 'record', target: word(0, 'a target'), seconds: Number(word(1, 'a number of seconds')) }
    default:
      throw new Misused(command === undefined ? 'what should happen?' : `there is no command ${command}`)
  }
}

/** `excessK=40 over=2h`: what is said of a fault. */
function givenOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([^=]+)=(.+)$/.exec(pair) ?? []
      if (name === undefined || value === undefined) throw new Misused(`${pair} must be written name=value`)
      return [name, value]
    }),
  )
}

interface PushWords {
  readonly secret: string
  readonly product: string
  readonly device: string
  readonly model: string
  readonly every: string
  readonly aes: string
  readonly fault: string
}

/** Pushes as a platform until the process is ended, and says what was answered whenever the answer changes. */
function push([, platform, url]: readonly string[], words: PushWords): void {
  const family = familyOfModel(words.model)
  if ((platform !== 'onenet' && platform !== 'ctwing') || url === undefined)
    throw new Misused('push needs a platform and an address')
  if (words.secret === '' || words.device === '') throw new Misused('push needs --secret and --device')
  if (!family || !canBePushed(family)) throw new Misused(`no detector has the model ${words.model}`)
  let output = ''
  const pusher = startPushing({
    platform,
    url,
    secret: words.secret,
    aesKey: words.aes,
    productId: words.product,
    plan: { controllerId: words.device, family: family.key, model: words.model, name: words.device, lines: [] },
    everyMs: Math.max(1, Number(words.every)) * 1_000,
    onAnswer({ status, Message }) {
      const answer = `${status} ${Message}`.trim()
      if (answer !== output) process.stdout.write(`${answer}\n`)
      output = answer
    },
  })
  if (words.fault !== '') pusher.run(words.fault)
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string', default: process.env.LINEWARDEN_DATA ?? 'data' },
      speed: { type: 'string', default: '1' },
      onto: { type: 'string', multiple: true, default: [] },
      secret: { type: 'string', default: '' },
      product: { type: 'string', default: '' },
      device: { type: 'string', default: '' },
      model: { type: 'string', default: 'NT8141' },
      every: { type: 'string', default: '10' },
      aes: { type: 'string', default: '' },
      fault: { type: 'string', default: '' },
    },
  })
  const onto = Object.fromEntries(
    values.onto.map((pair) => {
      const [from, to] = pair.split('=')
      if (!from || !to) throw new Misused('--onto is written recorded=device')
      return [from, to]
    }),
  )
  if (positionals[0] === 'push') push(positionals, values)
  else await ask()

  async function ask(): Promise<void> {
    const request = requestOf(positionals, { speed: Number(values.speed), onto })
    const reply = await askControl(values.data, request)
    if (!reply.ok) throw new Error(reply.error)
    const file = request.do === 'record' ? positionals[3] : undefined
    if (file !== undefined) writeFileSync(file, reply.text)
    process.stdout.write(file === undefined ? `${reply.text}\n` : `recorded in ${file}\n`)
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  if (error instanceof Misused) process.stderr.write(`\n${help}`)
  process.exitCode = 1
}

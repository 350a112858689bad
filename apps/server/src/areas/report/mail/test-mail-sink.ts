import type { Socket } from 'node:net'
import { createServer } from 'node:net'

/** What a mail server comes to, one after the other; `answer`: it has the message, and has yet to say so. */
export type SinkStep = 'connect' | 'ehlo' | 'mail' | 'rcpt' | 'data' | 'message' | 'answer'

/** What it does there: goes on, cuts the connection, says nothing any more, or answers so. */
export type SinkAct = 'on' | 'drop' | 'hang' | 450 | 451 | 550 | 554

interface Received {
  readonly to: string
  readonly raw: string
}

const replies: Readonly<Record<SinkStep, string>> = {
  connect: '220 sink',
  ehlo: '250 sink',
  mail: '250 ok',
  rcpt: '250 ok',
  data: '354 go on',
  message: '250 ok',
  answer: '250 taken',
}

/** A mail server without TLS that drops connections at any step. It has accepted what it has whole and does not refuse, whether it can say so or not. */
export async function startMailSink(act: (step: SinkStep, to: string) => SinkAct = () => 'on') {
  const accepted: Received[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    converse(socket, act, (mail) => accepted.push(mail))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the sink has no port')
  return {
    port: address.port,
    accepted,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function converse(socket: Socket, act: (step: SinkStep, to: string) => SinkAct, accept: (mail: Received) => void): void {
  let [left, to, raw, isData] = ['', '', '', false]
  /** Whether it goes on. */
  const reply = (step: SinkStep): boolean => {
    const what = act(step, to)
    if (what === 'drop') socket.destroy()
    else if (what !== 'hang') socket.write(`${what === 'on' ? replies[step] : `${what} refused at ${step}`}\r\n`)
    return what === 'on'
  }
  reply('connect')
  socket.on('data', (bytes) => {
    left += bytes.toString('latin1')
    for (let end = left.indexOf('\r\n'); end >= 0; end = left.indexOf('\r\n')) {
      const line = left.slice(0, end)
      left = left.slice(end + 2)
      if (!isData) command(line)
      else if (line === '.') ends()
      else raw += `${line.replace(/^\./, '')}\r\n`
    }
  })

  function command(line: string): void {
    const [, address = ''] = /^RCPT TO:<([^>]*)>/i.exec(line) ?? []
    if (address) to = address
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'DATA') {
      isData = reply('data')
      raw = ''
    } else if (verb === 'QUIT') socket.end('221 bye\r\n')
    else reply(({ EHLO: 'ehlo', MAIL: 'mail', RCPT: 'rcpt' } as const)[verb] ?? 'ehlo')
  }

  function ends(): void {
    isData = false
    const what = act('message', to)
    if (what === 'drop') return void socket.destroy()
    if (what === 'hang') return
    if (what !== 'on') return void socket.write(`${what} refused at message\r\n`)
    const last = act('answer', to)
    if (typeof last === 'number') return void socket.write(`${last} refused at answer\r\n`)
    accept({ to, raw })
    if (last === 'on') socket.write(`${replies.answer}\r\n`)
    else if (last === 'drop') socket.destroy()
  }
}

/** The settings by which a sink is spoken to. */
export const sinkMail = (port: number) => ({
  ...({ host: '127.0.0.1', port, tls: 'off', user: '', password: '' } as const),
  ...{ from: 'reports@plant.example', publicUrl: 'https://console.example.com' },
})

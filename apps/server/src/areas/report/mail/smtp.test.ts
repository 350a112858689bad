import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { testCertificate } from '../../../tls/test-certificate.ts'
import { letterBytes } from './letter.ts'
import { createSmtp } from './smtp.ts'
import type { SinkAct, SinkStep } from './test-mail-sink.ts'
import { sinkMail, startMailSink } from './test-mail-sink.ts'

const bytes = Buffer.from('Subject: figures\r\n\r\n.a line that begins with a dot\r\n')
const letter = { to: 'li@example.com', bytes }
const yes = async () => true

async function attempt(step: SinkStep, act: SinkAct, deadlineMs = 5_000) {
  const sink = await startMailSink((at) => (at === step ? act : 'on'))
  const { code, isHandedOver } = await createSmtp(sinkMail(sink.port), { deadlineMs }).send(letter, yes)
  await sink.close()
  return { code, isHandedOver, accepted: sink.accepted.length }
}

test('what is accepted has arrived as it was sent', async () => {
  const sink = await startMailSink()
  expect(await createSmtp(sinkMail(sink.port)).send(letter, yes)).toEqual({ code: 250, isHandedOver: true, answer: '250 taken' })
  expect(sink.accepted).toEqual([{ to: 'li@example.com', raw: bytes.toString() }])
  await sink.close()
})

test.each(['connect', 'ehlo', 'mail', 'rcpt', 'data'] as const)(
  'a connection that is lost at %s had no message',
  async (step) => {
    expect(await attempt(step, 'drop')).toEqual({ code: null, isHandedOver: false, accepted: 0 })
  },
)

test.each([
  ['message', 0],
  ['answer', 1],
] as const)('one that is lost at %s may have it', async (step, accepted) => {
  expect(await attempt(step, 'drop')).toEqual({ code: null, isHandedOver: true, accepted })
})

test.each([
  ['connect', 'hang', false],
  ['rcpt', 'hang', false],
  ['answer', 'hang', true],
] as const)('a server that says nothing at %s is waited for until the deadline', async (step, act, isHandedOver) => {
  expect(await attempt(step, act, 300)).toMatchObject({ code: null, isHandedOver })
})

test.each([
  ['mail', 450, false],
  ['rcpt', 550, false],
  ['message', 451, true],
  ['message', 554, true],
] as const)('the code of a refusal at %s is known: %s', async (step, code, isHandedOver) => {
  expect(await attempt(step, code)).toEqual({ code, isHandedOver, accepted: 0 })
})

test('a server that cannot be reached had no message', async () => {
  const sink = await startMailSink()
  await sink.close()
  expect(await createSmtp(sinkMail(sink.port)).send(letter, yes)).toMatchObject({ code: null, isHandedOver: false })
})

test('whoever may not hand it over gives up, and the server has nothing', async () => {
  const sink = await startMailSink()
  expect(await createSmtp(sinkMail(sink.port)).send(letter, async () => false)).toMatchObject({ code: null, isHandedOver: false })
  await sink.close()
  expect(sink.accepted).toEqual([])
})

/** The server of the nodemailer project, which this house has not written. */
async function foreignServer(options: ConstructorParameters<typeof SMTPServer>[0]) {
  const received: string[] = []
  const server = new SMTPServer({
    ...options,
    onAuth: ({ username, password }, _, done) =>
      username === 'plant' && password === 'p:w' ? done(null, { user: username }) : done(new Error('wrong')),
    onData(stream, _, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        received.push(Buffer.concat(pieces).toString())
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return { port, received, close: () => new Promise<void>((resolve) => server.close(resolve)) }
}

const account = { user: 'plant', password: 'p:w' }

test.each(['required', 'implicit'] as const)('a server with TLS (%s) and a password gets the letter', async (tls) => {
  const { cert, key } = testCertificate()
  const server = await foreignServer({ secure: tls === 'implicit', cert, key })
  const mail = { ...sinkMail(server.port), ...account, tls }
  const text = { to: 'li@example.com', subject: '用电报告', text: '用电 12.5 kWh', html: '<p>用电 12.5 kWh</p>' }
  const whole = await letterBytes(mail, {
    ...{
      ...text,
      language: 'CN',
      id: ['run 1', 'recipient 2'],
      at: Date.UTC(2026, 10, 30),
      leaveUrl: 'https://console.example.com/leave',
    },
    file: { name: '用电.csv', type: 'text/csv', bytes: Buffer.from('a,b') },
  })
  expect(await createSmtp(mail, { ca: cert }).send({ to: text.to, bytes: whole }, yes)).toMatchObject({ code: 250 })
  expect(await createSmtp({ ...mail, password: 'other' }, { ca: cert }).send({ to: text.to, bytes: whole }, yes)).toMatchObject({
    code: 535,
  })
  // Nobody vouches for this certificate.
  expect(await createSmtp(mail).send({ to: text.to, bytes: whole }, yes)).toMatchObject({ code: null, isHandedOver: false })
  await server.close()
  expect(server.received).toHaveLength(1)
  const [received = ''] = server.received
  expect(received).toContain('List-Unsubscribe: <https://console.example.com/leave>')
  expect(received).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect(received).toMatch(/Message-ID: <[0-9a-f]{40}@plant\.example>/)
})

test('without TLS nothing goes out where it is required', async () => {
  const server = await foreignServer({ disabledCommands: ['STARTTLS'], authOptional: true })
  const sent = await createSmtp({ ...sinkMail(server.port), tls: 'required' }).send(letter, yes)
  await server.close()
  expect(sent).toMatchObject({ isHandedOver: false })
  expect(server.received).toEqual([])
})

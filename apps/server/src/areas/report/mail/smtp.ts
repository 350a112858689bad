import { Readable } from 'node:stream'
import type { Attempt } from '@linewarden/rules/report'
import { attemptMs } from '@linewarden/rules/report'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailConfig } from '../../../lib/mail-setting.ts'

/** What became of one attempt, with the last words of the server, or why it had none. */
export interface Attempted extends Attempt {
  readonly answer: string
}

interface Letter {
  readonly to: string
  /** As it goes over the wire, headers and all. */
  readonly bytes: Buffer
}

/** Sends mail; one connection each. */
export interface Smtp {
  /**
   * One attempt, within two minutes. `mayHandOver` is asked when the server wants the message, before it gets a byte of it: what answers false
   * gives up the attempt, and the server has nothing.
   */
  send(letter: Letter, mayHandOver: () => Promise<boolean>): Promise<Attempted>
}

interface Outside {
  /** Who is believed in place of the machine's own authorities. */
  readonly ca?: string
  readonly deadlineMs?: number
}

/** What is said of an attempt that this server gave up, as another has taken it over. */
const notOurs = 'given up: another server has it'
const maxAnswer = 500

export const createSmtp = (config: MailConfig, { ca, deadlineMs = attemptMs }: Outside = {}): Smtp => ({
  send: ({ to, bytes }, mayHandOver) =>
    new Promise<Attempted>((resolve) => {
      let isHandedOver = false
      const connection = new SMTPConnection({
        ...{ host: config.host, port: config.port, secure: config.tls === 'implicit' },
        ...{ requireTLS: config.tls === 'required', ignoreTLS: config.tls === 'off' },
        ...{ connectionTimeout: deadlineMs, greetingTimeout: deadlineMs, socketTimeout: deadlineMs, dnsTimeout: deadlineMs },
        socketCloseTimeout: 0,
        name: new URL(config.publicUrl).hostname,
        ...(ca !== undefined && { tls: { ca } }),
      })
      const late = setTimeout(() => end(null, 'no answer in time'), deadlineMs)
      // Whatever comes first is what became of it.
      const end = (code: number | null, answer: string) => {
        clearTimeout(late)
        resolve({ code, isHandedOver, answer: answer.slice(0, maxAnswer) })
        if (code !== null && code < 300) connection.quit()
        else connection.close()
      }
      const failed = (error: Failure) => end(codeOf(error), error.response || error.message)
      connection.on('error', failed)
      connection.once('end', () => end(null, 'connection lost'))
      connection.connect((error) => {
        if (error) return failed(error)
        if (config.user === '') return hand()
        connection.login({ user: config.user, pass: config.password }, (refused) => (refused ? failed(refused) : hand()))
      })

      function hand(): void {
        connection.send({ from: config.from, to: [to] }, Readable.from(message(), { objectMode: false }), (error, info) =>
          error ? failed(error) : end(codeIn(info.response) ?? 250, info.response ?? ''),
        )
      }

      /** Read only when the server has asked for it. */
      async function* message(): AsyncGenerator<Buffer> {
        isHandedOver = await mayHandOver()
        if (!isHandedOver) throw new Error(notOurs)
        yield bytes
      }
    }),
})

interface Failure extends Error {
  readonly response?: string | undefined
  readonly responseCode?: number | undefined
}

const codeOf = ({ responseCode, response }: Failure): number | null => responseCode ?? codeIn(response)

function codeIn(response: string | undefined): number | null {
  const [code] = /^[2-5]\d\d/.exec(response ?? '') ?? []
  return code === undefined ? null : Number(code)
}

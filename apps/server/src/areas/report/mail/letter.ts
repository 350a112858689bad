import { createHash } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { MailConfig } from '../../../lib/mail-setting.ts'

interface LetterParts {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly language: 'CN' | 'EN'
  /** What it is about and to whom: the same makes the same Message-ID, so that whoever gets it twice can tell. */
  readonly id: readonly [what: string, to: string]
  /** Unix ms. */
  readonly at: number
  /** Where whoever gets it leaves; null: it is nothing that comes again. */
  readonly leaveUrl: string | null
  readonly file: { readonly name: string; readonly type: string; readonly bytes: Buffer } | null
}

/** A letter as it goes over the wire: text and HTML, and nothing that is fetched from anywhere when it is opened. */
export function letterBytes(config: Pick<MailConfig, 'from'>, parts: LetterParts): Promise<Buffer> {
  const { to, subject, text, html, language, at, leaveUrl, file } = parts
  return new MailComposer({
    ...{ from: config.from, to, subject, text, html, date: new Date(at), messageId: messageIdOf(config, parts.id) },
    ...{ disableFileAccess: true, disableUrlAccess: true, newline: '\r\n' },
    headers: {
      'Auto-Submitted': 'auto-generated',
      'Content-Language': language === 'EN' ? 'en' : 'zh-CN',
      // RFC 8058: a mail program leaves by one POST.
      ...(leaveUrl !== null && { 'List-Unsubscribe': `<${leaveUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    ...(file && { attachments: [{ filename: file.name, contentType: file.type, content: file.bytes }] }),
  })
    .compile()
    .build()
}

const messageIdOf = ({ from }: Pick<MailConfig, 'from'>, id: LetterParts['id']): string =>
  `<${createHash('sha256').update(JSON.stringify(id)).digest('hex').slice(0, 40)}@${from.split('@')[1]}>`

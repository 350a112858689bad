import type { Environment } from './environment.ts'
import { BadSetting, matching, oneOf } from './environment.ts'

/** The mail server that reports go out by. */
export interface MailConfig {
  readonly host: string
  readonly port: number
  /** `implicit`: TLS from the first byte; `required`: by STARTTLS, and nothing goes out without it; `off`: a person has said so. */
  readonly tls: 'implicit' | 'required' | 'off'
  readonly user: string
  readonly password: string
  /** Who mail is from: one address. */
  readonly from: string
  /** Where people open this console, without a slash at its end: links in mail lead there, and no request says where. */
  readonly publicUrl: string
}

const fromPattern = /^[A-Za-z0-9.!#$%&*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/

/** The mail server that these settings name; null: none. Its password is never repeated in a message. */
export function mailSetting(env: Environment): MailConfig | null {
  const value = env.LINEWARDEN_SMTP_URL
  if (value === undefined || value === '') return null
  const url = URL.canParse(value) ? new URL(value) : null
  if (
    !url ||
    !/^smtps?:$/.test(url.protocol) ||
    url.hostname === '' ||
    !/^\/?$/.test(url.pathname) ||
    url.search + url.hash !== ''
  )
    throw new BadSetting(
      'LINEWARDEN_SMTP_URL',
      '(hidden)',
      'smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465 is needed',
      '应为 smtp://用户:密码@主机:587（STARTTLS）或 smtps://用户:密码@主机:465',
    )
  const isImplicit = url.protocol === 'smtps:'
  const isPlain = oneOf(env, 'LINEWARDEN_SMTP_TLS', 'required', ['required', 'off']) === 'off'
  if (isPlain && isImplicit)
    throw new BadSetting('LINEWARDEN_SMTP_TLS', 'off', 'smtps:// is TLS; give smtp://', 'smtps:// 即为 TLS；请改用 smtp://')
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port),
    tls: isImplicit ? 'implicit' : isPlain ? 'off' : 'required',
    ...{ user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    from: matching(env, 'LINEWARDEN_MAIL_FROM', '', fromPattern, 'one address is needed, such as reports@example.com'),
    publicUrl: publicUrl(env),
  }
}

function publicUrl(env: Environment): string {
  const value = env.LINEWARDEN_PUBLIC_URL ?? ''
  const { protocol = '', origin = '' } = URL.canParse(value) ? new URL(value) : {}
  if (!/^https?:$/.test(protocol) || origin !== value.replace(/\/$/, ''))
    throw new BadSetting(
      'LINEWARDEN_PUBLIC_URL',
      value,
      'mail has links: the address at which people open this console is needed, such as https://console.example.com',
      '邮件中有链接：请填写本系统的访问地址，如 https://console.example.com',
    )
  return origin
}

import { text } from '@linewarden/contract'
import { inLanguage } from '../../../http/table-file.ts'
import type { MailConfig } from '../../../lib/mail-setting.ts'
import { escaped } from './report-letter.ts'

interface Letter {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly language: 'CN' | 'EN'
}

const test = {
  subject: text('测试邮件', 'Test mail'),
  body: text('邮件发送正常。', 'Mail can be sent.'),
} as const

/** Says that mail arrives, in both languages, and nothing else. */
export function testLetter({ publicUrl }: Pick<MailConfig, 'publicUrl'>): Letter {
  const lines = [test.body.zh, test.body.en, publicUrl]
  return { subject: `${test.subject.zh} / ${test.subject.en}`, ...letterOf(lines, null), language: 'CN' }
}

const ask = {
  subject: text('请确认接收报表', 'Please confirm that you want this report'),
  body: text('有人请您定期接收以下报表：', 'Somebody asks that you get this report regularly:'),
  link: text('打开链接确认；不确认则不会发送任何报表。', 'Confirm by this link. Without it nothing is sent to you.'),
} as const

/** Asks an address whether it wants to get a report. */
export function askLetter(about: {
  readonly language: 'CN' | 'EN'
  readonly schedule: string
  readonly project: string
  readonly url: string
}): Letter {
  const { language, schedule, project, url } = about
  const word = (each: keyof typeof ask) => inLanguage(ask[each], language)
  const lines = [word('body'), `${project} · ${schedule}`, word('link')]
  return { subject: `${word('subject')}: ${schedule}`, ...letterOf(lines, url), language }
}

function letterOf(lines: readonly string[], url: string | null): Pick<Letter, 'text' | 'html'> {
  const link = url === null ? '' : `<p><a href="${escaped(url)}">${escaped(url)}</a></p>`
  return {
    text: [...lines, ...(url === null ? [] : [url]), ''].join('\r\n\r\n'),
    html: `<!doctype html><meta charset="utf-8">${lines.map((line) => `<p>${escaped(line)}</p>`).join('')}${link}`,
  }
}

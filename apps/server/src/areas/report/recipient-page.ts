import { text } from '@linewarden/contract'
import { networkOf } from '@linewarden/rules/account'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inLanguage } from '../../http/table-file.ts'
import { Limits } from '../../lib/limits.ts'
import { recipientPath } from './mail/links.ts'
import { escaped } from './mail/report-letter.ts'
import type { Recipients } from './recipients.ts'

interface Target {
  readonly Token: string
}

const words = {
  title: text('邮件报表', 'Reports by mail'),
  asked: text('有人请您定期接收这份报表：', 'Somebody asks that you get this report regularly:'),
  gets: text('您会定期收到这份报表：', 'You get this report regularly:'),
  left: text('您已退订这份报表：', 'You have unsubscribed from this report:'),
  agree: text('确认接收', 'Confirm'),
  leave: text('退订', 'Unsubscribe'),
  gone: text('链接无效，或该报表已停用。', 'This link leads nowhere, or the report is no longer sent.'),
} as const

const bodyLimit = 1_024

/**
 * Where a recipient agrees and leaves: their link is all that they have. Opening it changes nothing, as programs that look for harm open every
 * link of a mail; what changes something is a POST, of a person or of a mail program (RFC 8058).
 */
export function mountRecipientPage(
  app: FastifyInstance,
  { recipients, clock }: { recipients: Recipients; clock: () => number },
): void {
  const perNetwork = new Limits(120, 1)
  const url = recipientPath(':Token')

  app.get<{ Params: Target }>(url, (request, reply) => show(request, reply))

  app.register(async (own) => {
    own.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit }, (_, body, done) =>
      done(null, body),
    )
    own.addContentTypeParser('multipart/form-data', { parseAs: 'string', bodyLimit }, (_, body, done) => done(null, body))
    own.post<{ Params: Target; Body: string }>(url, { bodyLimit }, async (request, reply) => {
      const act = /(^|[&\n])act=agree\b/.test(String(request.body)) ? 'agree' : 'leave'
      if (isWelcome(request)) await recipients.mark(request.params.Token, act, request.ip)
      return show(request, reply)
    })
  })

  const isWelcome = ({ ip, params }: FastifyRequest<{ Params: Target }>) =>
    /^[\w-]{43}$/.test(params.Token) && perNetwork.take(networkOf(ip), clock())

  async function show(request: FastifyRequest<{ Params: Target }>, reply: FastifyReply) {
    const found = isWelcome(request) ? await recipients.ofToken(request.params.Token) : null
    reply
      .code(found ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .header('Referrer-Policy', 'no-referrer')
    if (!found) return reply.send(pageOf('CN', `<p>${words.gone.zh}</p><p lang="en">${words.gone.en}</p>`))
    const { language, schedule, project } = found
    const word = (each: keyof typeof words) => inLanguage(words[each], language)
    const isLeft = found.left_at !== null
    const isAsked = found.address !== null && found.agreed_at === null
    const about = isLeft ? 'left' : isAsked ? 'asked' : 'gets'
    const acts = [
      ...((isLeft || isAsked) && found.address !== null ? (['agree'] as const) : []),
      ...(isLeft ? [] : (['leave'] as const)),
    ]
    const buttons = acts.map(
      (act) => `<button name="act" value="${act}" style="font-size:16px;padding:8px 16px">${word(act)}</button>`,
    )
    const form = `<form method="post" style="display:flex;gap:12px">${buttons.join('')}</form>`
    return reply.send(
      pageOf(language, `<p>${word(about)}</p><p><strong>${escaped(project)} · ${escaped(schedule)}</strong></p>${form}`),
    )
  }
}

const pageOf = (language: 'CN' | 'EN', content: string): string =>
  `<!doctype html><html lang="${language === 'EN' ? 'en' : 'zh-CN'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${inLanguage(words.title, language)}</title></head><body style="font-family:sans-serif;max-width:32em;margin:3em auto;padding:0 1em"><h1 style="font-size:20px">${inLanguage(words.title, language)}</h1>${content}</body></html>`

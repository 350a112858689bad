import type { Text } from '@linewarden/equipment'

/** The server itself, where nobody with an account did something. */
const server = { key: 'system', zh: '系统', en: 'System' } as const

/** Who acts in the name of something: what stands before it, and how people read that. */
const deputies = [
  { key: 'push:', zh: '推送：', en: 'Push: ' },
  { key: 'mail:', zh: '邮箱：', en: 'Mail: ' },
  { key: 'token:', zh: '访问码：', en: 'Device token: ' },
  { key: 'screen:', zh: '大屏：', en: 'Screen: ' },
] as const

/** Who did something, for people: an account by its name. */
export function actorName(actor: string): Text {
  if (actor === server.key) return { zh: server.zh, en: server.en }
  const deputy = deputies.find(({ key }) => actor.startsWith(key))
  if (!deputy) return { zh: actor, en: actor }
  const of = actor.slice(deputy.key.length)
  return { zh: `${deputy.zh}${of}`, en: `${deputy.en}${of}` }
}

/** What to search for when somebody types an actor, or the beginning of one, as it is shown. */
export function actorTyped(part: string): string {
  const typed = part.trim().toLowerCase()
  for (const { key, zh, en } of [server, ...deputies])
    for (const word of [zh, en].map((each) => each.trim().toLowerCase())) {
      if (typed === word || typed === word.replace(/[：:]$/, '')) return key
      if (key !== server.key && typed.startsWith(word)) return `${key}${typed.slice(word.length).trim()}`
    }
  return part
}

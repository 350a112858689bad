import type { Call, LiveMessage } from '@linewarden/contract'
import { mayCall } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { withoutPeople } from '../../access/without-people.ts'
import type { LiveTopic } from '../../plant/live-topics.ts'

/** A call by whose permission something is told. */
export type Permitted = Pick<Call, 'permission' | 'alsoFor' | 'onWalls'>

interface Recipient {
  readonly actor: Actor
  readonly may: Map<Permitted, boolean>
}

/** What they could also ask for. The answer is kept as long as the actor is: values come many times a second. */
export function mayAsk({ actor, may }: Recipient, call: Permitted): boolean {
  const known = may.get(call)
  if (known !== undefined) return known
  const answer = mayCall(call, actor)
  may.set(call, answer)
  return answer
}

/** Whether somebody is notified of it: they see what it is about, and may make the call that answers the same. */
export const receives = (recipient: Recipient, { to, needs }: Pick<LiveTopic, 'to' | 'needs'>): boolean =>
  sees(recipient.actor, to) && (needs === null || mayAsk(recipient, needs))

function sees(actor: Actor, to: LiveTopic['to']): boolean {
  if ('gateway' in to) return actor.seesGateway(to.gateway)
  if ('project' in to) return actor.sees(to.project)
  if ('partOf' in to) return actor.seesPart(to.partOf)
  return actor.accountId === to.account
}

/** A topic with its text, which is made once for all who are told the same. */
export function textsOf(topic: LiveTopic): LiveTopic & { readonly textFor: (actor: Actor) => string } {
  const { message } = topic
  if (typeof message === 'function') return { ...topic, textFor: (actor) => textOf(message(actor), actor.shared) }
  const texts = new Map<boolean, string>()
  return {
    ...topic,
    textFor({ shared }) {
      const text = texts.get(shared) ?? textOf(message, shared)
      texts.set(shared, text)
      return text
    },
  }
}

const textOf = (message: LiveMessage, shared: boolean): string => JSON.stringify(shared ? withoutPeople(message) : message)

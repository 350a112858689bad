import type { LinkageForm } from '@linewarden/contract'
import { Refusal, textOf } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import type { AutomationDeps } from './deps.ts'

/** Names of those who are to get orders of a linkage, by their accounts; refuses whoever cannot have one of that line, and who may not write any. */
export async function peopleOf(
  { plant, actorNow }: Pick<AutomationDeps, 'plant' | 'actorNow'>,
  actor: Actor,
  { Actions }: Pick<LinkageForm, 'Actions'>,
): Promise<ReadonlyMap<string, string>> {
  if (Actions.some(({ Kind }) => Kind === 'workorder') && !permits('hazard.workorder', actor))
    throw new Refusal('linkage needs work orders')
  const names = new Map<string, string>()
  for (const [index, { Kind, Order, ControllerID, LineNo }] of Actions.entries()) {
    const accountId = Kind === 'workorder' ? Order?.PersonInCharge : null
    if (accountId == null) continue
    const refuse = (key: 'order person unfit' | 'order person blind', detail: { readonly name?: string } = {}) =>
      new Refusal(key, detail, [{ Path: `body.Actions.${index}.Order.PersonInCharge`, Text: textOf(key, detail) }])
    const person = await actorNow({ accountId, sessionId: '', address: '' })
    if (!person || person.shared || !permits('hazard.workorder', person)) throw refuse('order person unfit')
    const name = person.nickName.trim() || person.userName
    const line = ControllerID == null ? null : plant.lineAt(ControllerID, LineNo ?? 0)
    if (line && !person.seesGateway(line.device.gateway)) throw refuse('order person blind', { name })
    names.set(accountId, name)
  }
  return names
}

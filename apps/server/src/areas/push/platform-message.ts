import type { StoredPush } from '../../store/push/push.ts'
import type { Seal } from '../account/secrets.ts'
import { Aside } from './aside.ts'
import { readCtwing } from './forms/ctwing.ts'
import { openOneNet, readOneNet, readOneNetPush } from './forms/onenet.ts'
import type { PushedReport, ReadPush } from './forms/report.ts'

/** The reports that a message of the subscription's platform brings. Throws Aside for one that cannot be read. */
export function reportsIn(push: StoredPush, body: string, seal: Seal): readonly PushedReport[] {
  const found = push.platform === 'onenet' ? oneNet(push, body, seal) : readCtwing(JSON.parse(body))
  if (typeof found === 'string') throw new Aside('push_form', found)
  return found
}

function oneNet(push: StoredPush, body: string, seal: Seal): ReadPush {
  const pushed = readOneNetPush(JSON.parse(body))
  if (!pushed) return 'the message is not of this form'
  if (!pushed.encrypted) return readOneNet(pushed.msg)
  const aesKey = push.aes_key === null ? null : seal.open(push.aes_key)
  if (aesKey === null) throw new Aside('push_encrypted', 'the message is encrypted, and the subscription has no AES key')
  const text = openOneNet(pushed.msg, aesKey)
  if (text === null) throw new Aside('push_encrypted', 'the message does not open with the AES key of the subscription')
  return readOneNet(text)
}

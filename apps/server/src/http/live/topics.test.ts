import type { LiveMessage } from '@linewarden/contract'
import { commandSteps, settingHistory } from '@linewarden/contract'
import { describe, expect, test } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { toEquipment, treeChanged } from '../../plant/live-topics.ts'
import type { PlantGateway } from '../../plant/plant.ts'
import { receives, textsOf } from './topics.ts'

const gateway = (id: number, projectId: number) => ({ id, project: { id: projectId } }) as PlantGateway
const [first, second] = [gateway(1, 10), gateway(2, 10)]
const tree: LiveMessage = { t: 'tree' }

interface AccessScope {
  readonly accountId?: string
  readonly projects?: readonly number[]
  readonly gateways?: readonly number[]
  readonly privileges?: readonly string[]
}
/** Somebody of a role with all pages of monitoring, who sees nothing but what is given. */
const somebody = ({ accountId = 'a', projects = [], gateways = [], privileges = [...monitoring] }: AccessScope) => {
  const actor = { accountId, platform: false, administrator: false, privileges, buttons: [] as string[], shared: false }
  const sees = (id: number) => projects.includes(id)
  const seesGateway = ({ id, project }: Pick<PlantGateway, 'id' | 'project'>) => sees(project.id) || gateways.includes(id)
  const seesPart = (id: number) => sees(id) || [first, second].some((each) => each.project.id === id && seesGateway(each))
  return { actor: { ...actor, sees, seesPart, seesGateway } as unknown as Actor, may: new Map() }
}
const monitoring = ['devmon', 'devmon.realtime', 'devmon.ledger', 'devmon.params'] as const
const whole = somebody({ projects: [10] })
const part = somebody({ gateways: [1] })
const other = somebody({ projects: [11] })
const nobody = somebody({})

test.each([
  ['of a gateway, whoever sees it', { gateway: first }, [whole, part]],
  ['of another gateway of the project, nobody who sees only the first', { gateway: second }, [whole]],
  ['of equipment that was taken out, whoever sees its project whole', toEquipment(undefined, 10), [whole]],
  ['of a tree, whoever sees any of it', treeChanged(10).to, [whole, part]],
  ['of what is one account’s own, nobody else', { account: 'b' }, []],
])('%s', (_, to, expected) => {
  expect([whole, part, other, nobody].filter((each) => receives(each, { to, needs: null }))).toEqual(expected)
})

test('of what is one account’s own that account is told, and only with the permission of its call', () => {
  const own = { to: { account: 'b' }, needs: commandSteps } as const
  expect(receives(somebody({ accountId: 'b' }), own)).toBe(true)
  expect(receives(somebody({ accountId: 'b', privileges: ['devmon'] }), own)).toBe(false)
})

describe('a permission', () => {
  test.each([
    ['of orders', commandSteps],
    ['of settings', settingHistory],
  ])('%s that the role has not keeps it back, whatever is seen', (_, needs) => {
    expect(receives(whole, { to: { gateway: first }, needs })).toBe(true)
    expect(receives(somebody({ projects: [10], privileges: ['system.report'] }), { to: { gateway: first }, needs })).toBe(false)
    expect(receives(other, { to: { gateway: first }, needs })).toBe(false)
  })

  test('that is taken away is asked anew of the new actor', () => {
    const recipient = somebody({ projects: [10] })
    const topic = { to: { gateway: first }, needs: commandSteps }
    expect(receives(recipient, topic)).toBe(true)
    recipient.may.clear()
    expect(receives({ ...recipient, actor: { ...recipient.actor, privileges: [] } }, topic)).toBe(false)
  })
})

test('what each sees of it is told to each, and a name to nobody with whom the equipment is shared', () => {
  const named = { t: 'setting', change: { Actor: 'admin' } } as unknown as LiveMessage
  const topic = textsOf({ to: { gateway: first }, needs: null, message: named })
  expect(JSON.parse(topic.textFor(whole.actor))).toEqual(named)
  expect(JSON.parse(topic.textFor({ ...whole.actor, shared: true }))).toEqual({ t: 'setting', change: { Actor: '—' } })
  expect(JSON.parse(topic.textFor(whole.actor))).toEqual(named)
  const each = textsOf({
    to: { gateway: first },
    needs: null,
    message: (viewer) => ({ t: 'tags', DeviceID: viewer.seesGateway(second) ? 2 : 1 }),
  })
  expect([whole, part].map(({ actor }) => JSON.parse(each.textFor(actor)))).toEqual([
    { t: 'tags', DeviceID: 2 },
    { t: 'tags', DeviceID: 1 },
  ])
})

test('a message of the tree is told as it is', () => {
  expect(textsOf(treeChanged(10)).textFor(whole.actor)).toBe(JSON.stringify(tree))
})

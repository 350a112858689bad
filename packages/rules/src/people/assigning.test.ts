import { expect, test } from 'vitest'
import type { AssignFault, Given } from './assigning.ts'
import { assignFault, liesWithin } from './assigning.ts'

const mine: Given = { seen: true, ownerId: 'me' }
const hidden: Given = { seen: false, ownerId: 'me' }
const others: Given = { seen: true, ownerId: 'other' }
const ours: Given = { seen: true, ownerId: null }

test.each<[string, readonly Given[], readonly Given[], AssignFault | null]>([
  ['a project of its own', [mine], [], null],
  ['a gateway of its own', [], [mine], null],
  ['nothing', [], [], 'nothing'],
  ['a project that is not there', [null], [], 'no_project'],
  ['a project that is not seen', [mine, hidden], [], 'no_project'],
  ['a project of another', [others], [], 'other_owner'],
  ['a project of the installation', [ours], [], 'other_owner'],
  ['a gateway that is not there', [mine], [null], 'no_gateway'],
  ['a gateway that is not seen', [], [mine, hidden], 'no_gateway'],
  ['a gateway of another', [mine], [others], 'other_owner'],
  ['several faults: the first that was named', [others, null], [null], 'other_owner'],
])('an account may be given %s', (_, projects, gateways, fault) => {
  expect(assignFault({ projects, gateways }, 'me')).toBe(fault)
})

test('one that stands under nobody is given what is the installation’s own', () => {
  expect([assignFault({ projects: [ours], gateways: [] }, null), assignFault({ projects: [mine], gateways: [] }, null)]).toEqual([
    null,
    'other_owner',
  ])
})

test.each([
  ['all of it is seen', [true, true], true],
  ['a part of it is not', [true, false], false],
  ['it was given nothing that is still there', [], false],
])('an account lies within the scope: %s', (_, seen, within) => expect(liesWithin(seen)).toBe(within))

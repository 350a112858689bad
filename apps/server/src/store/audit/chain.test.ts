import { expect, test } from 'vitest'
import { genesis, type HashedEntry, hashOf } from './chain.ts'

// Whoever finds another hash here has made every log that was ever written unverifiable.
const entry: HashedEntry = {
  chain: 2,
  audit_id: '7',
  at: new Date('2026-11-23T08:00:00.123Z'),
  actor: 'zhang',
  address: '10.0.0.7',
  action: 'operation.trip',
  target: 'DGP1/3',
  before: null,
  after: '{"reason": "检修", "by": ["a", {"z": 1, "b": null}]}',
  outcome: 'done',
  previous_hash: genesis,
  tree: '5d6f2c1e-9f0a-4a57-8f5e-0c8d2f1b7a11',
  subject_kind: 'line',
  subject_id: '3',
  gateway_id: 9,
  claimed: false,
}

test('the first entry of a log stands on 64 zeros', () =>
  expect(genesis).toBe('0000000000000000000000000000000000000000000000000000000000000000'))

test.each([
  ['of today', entry, '86ea743167961aa6c59ba30cd23bac4dac2c585684e2ed837889d4d5526c7db3'],
  [
    'from before subjects were sealed',
    { ...entry, chain: 1 },
    'cb806bf188bb87d20b09a2b9cd1d998f9486e531283939c0f93797069ff962b9',
  ],
  [
    'from before there were tenants',
    { ...entry, chain: 1, tree: null },
    'ed94d0273f1b37aceffe595e1e500583e705b77605c9fdbde49b1fd313032aaa',
  ],
])('the hash of an entry %s is what it has always been', (_, row, hash) => expect(hashOf(row)).toBe(hash))

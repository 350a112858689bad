import { expect, test } from 'vitest'
import type { RationaleTexts, WrittenRationale } from './rationale.ts'
import { rationaleInForce } from './rationale.ts'

const both = (text: string) => ({ zh: text, en: text })
const texts = (text: string): RationaleTexts => ({
  cause: both(text),
  consequence: both(text),
  action: both(text),
  time: both(text),
  priority: both(text),
  basis: both(text),
})
const key = 'residual.alarm'
const owner = '00000000-0000-4000-8000-00000000000a'
const ofProject: WrittenRationale = { projectId: 7, ownerId: null, key, texts: texts('project') }
const ofOwner: WrittenRationale = { projectId: null, ownerId: owner, key, texts: texts('owner') }
const ofInstallation: WrittenRationale = { projectId: null, ownerId: null, key, texts: texts('installation') }
const here = { projectId: 7, ownerId: owner }

test.each<
  [string, { projectId: number | null; ownerId: string | null }, readonly WrittenRationale[], string, string | undefined]
>([
  ['nothing is written', here, [], 'builtIn', 'built in'],
  ['the project goes before its owner', here, [ofOwner, ofProject], 'project', 'project'],
  ['the owner goes before what is built in', here, [ofOwner], 'default', 'owner'],
  ['what another project wrote', { ...here, projectId: 8 }, [ofProject], 'builtIn', 'built in'],
  ['what another owner wrote', here, [ofInstallation], 'builtIn', 'built in'],
  ['the default is asked for', { projectId: null, ownerId: owner }, [ofProject, ofOwner], 'default', 'owner'],
  ['the default of the installation', { projectId: null, ownerId: null }, [ofProject, ofInstallation], 'default', 'installation'],
  ['another alarm is written about', here, [{ ...ofProject, key: 'residual.notice' }], 'builtIn', 'built in'],
])('%s', (_, place, written, origin, action) => {
  const found = rationaleInForce(key, texts('built in'), place, written)
  expect([found.origin, found.texts?.action.en]).toEqual([origin, action])
})

test('an alarm that nobody wrote about and that is not built in has no answer', () => {
  expect(rationaleInForce('leakage.step', null, here, [ofProject])).toEqual({ origin: 'none', texts: null })
  const written = { ...ofOwner, key: 'leakage.step' }
  expect(rationaleInForce('leakage.step', null, here, [written])).toEqual({ origin: 'default', texts: written.texts })
})

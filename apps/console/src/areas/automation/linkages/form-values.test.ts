import { expect, test } from 'vitest'
import { formOf, newAction, newCondition, newLinkage, numberIn, proposedRelease, releasedAt } from './form-values.ts'

const place = (lineId: string) => (lineId === '' ? null : { ControllerID: 'A-T1', LineNo: Number(lineId) })
const whole = newLinkage({
  Name: ' 过载分闸 ',
  Conditions: [newCondition({ LineID: '2', source: 'point power.total', Value: '260', released: '247', ForS: '10' })],
  Actions: [newAction({ LineID: '3' })],
})

test('what is typed is what is sent', () => {
  expect(formOf(whole, place)).toEqual({
    missing: {},
    form: {
      ...{ Name: '过载分闸', Enabled: true, Mode: 'live', Match: 'all', ActiveHours: [], MayClose: false },
      ...{ CooldownS: 300, MaxPerHour: 6, MaxPerDay: 24 },
      Conditions: [
        {
          ...{ Kind: 'point', ControllerID: 'A-T1', LineNo: 2, Key: 'power.total', Op: '>', Value: 260, Release: 13, ForS: 10 },
        },
      ],
      Actions: [{ Kind: 'trip', ControllerID: 'A-T1', LineNo: 3, DelayS: 0 }],
    },
  })
})

test('everything that is missing is named at once, by its place', () => {
  const empty = newLinkage({ Actions: [newAction(), newAction({ Kind: 'scene' })], CooldownS: '5 min' })
  expect(formOf(empty, place)).toEqual({
    form: null,
    missing: {
      Name: 'nameMissing',
      'Conditions.0.LineNo': 'lineMissing',
      'Conditions.0.Key': 'pointMissing',
      'Conditions.0.Value': 'numberWrong',
      'Actions.0.LineNo': 'lineMissing',
      'Actions.1.SceneID': 'sceneMissing',
      CooldownS: 'wholeWrong',
    },
  })
})

test('what is no longer in the project is named as gone until its row is removed or another is chosen', () => {
  const gone = newLinkage({
    ...whole,
    Conditions: whole.Conditions.map((each) => ({ ...each, LineID: '9', gone: '旧线' })),
    Actions: [newAction({ LineID: '9', gone: '旧线' }), newAction({ Kind: 'scene', SceneID: '5', gone: '' })],
  })
  expect(formOf(gone, (lineId) => (lineId === '9' ? null : place(lineId)))).toEqual({
    form: null,
    missing: { 'Conditions.0.LineNo': 'lineGone', 'Actions.0.LineNo': 'lineGone', 'Actions.1.SceneID': 'sceneGone' },
  })
})

test('a release beyond the limit is none', () => {
  const beyond = { ...whole, Conditions: whole.Conditions.map((each) => ({ ...each, released: '270' })) }
  expect(formOf(beyond, place).missing).toEqual({ 'Conditions.0.Release': 'releaseWrong' })
  const below = { ...whole, Conditions: whole.Conditions.map((each) => ({ ...each, Op: '<' as const, released: '270' })) }
  expect(formOf(below, place).form?.Conditions[0]?.Release).toBe(10)
})

test('an empty release is proposed: 5 %, at least two steps of the point', () => {
  const [condition] = whole.Conditions
  if (!condition) throw new Error('there is one')
  expect(proposedRelease(condition, 2)).toBe(247)
  expect(proposedRelease({ ...condition, Op: '<' }, 2)).toBe(273)
  expect(proposedRelease({ ...condition, Value: '0.1' }, 1)).toBe(-0.1)
  expect(proposedRelease({ ...condition, source: 'state position' }, 0)).toBe(null)
  expect(formOf({ ...whole, Conditions: [{ ...condition, released: '' }] }, place).form?.Conditions[0]?.Release).toBe(null)
})

test('a state has no release', () => {
  const [condition] = whole.Conditions
  const state = newCondition({ LineID: '2', source: 'state position', Op: '=', Value: '0', released: '5' })
  expect(condition && formOf({ ...whole, Conditions: [state] }, place).form?.Conditions[0]?.Release).toBe(0)
})

test.each([
  ['1,5', 1.5],
  [' 20 ', 20],
  ['-3', -3],
  ['', null],
  ['1e9', null],
  ['12 A', null],
])('%j is %s', (text, value) => expect(numberIn(text)).toBe(value))

test('where it is released has no noise of binary fractions', () => expect(releasedAt('>', 0.3, 0.1)).toBe(0.2))

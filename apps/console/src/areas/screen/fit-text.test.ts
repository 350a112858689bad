import { expect, test } from 'vitest'
import { fitText, textWidth } from './fit-text.ts'

test('what fits stands in one line', () => {
  expect(fitText('空压机', 60, 16, 2)).toEqual(['空压机'])
})

test('a long name goes on in the next line, and ends there when it is longer still', () => {
  expect(fitText('地下车库充电桩', 64, 16, 2)).toEqual(['地下车库', '充电桩'])
  expect(fitText('地下车库充电桩配电柜', 64, 16, 2)).toEqual(['地下车库', '充电桩…'])
})

test('of two lines neither is a sign alone', () => {
  expect(fitText('1层办公东区', 80, 16, 2)).toEqual(['1层办公', '东区'])
})

test('words are not torn apart where there is a place to break', () => {
  expect(fitText('Cooling tower fan', 80, 16, 3)).toEqual(['Cooling', 'tower fan'])
})

test('a width that holds nothing holds one sign', () => {
  expect(fitText('空压', 1, 16, 1)).toEqual(['空…'])
})

test('no line of any text is wider than its place by more than a sign', () => {
  for (const line of fitText('1层照明一 EMERGENCY lighting 12.5', 70, 15, 4)) expect(textWidth(line, 15)).toBeLessThan(86)
})

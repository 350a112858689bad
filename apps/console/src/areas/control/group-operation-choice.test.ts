import { expect, test } from 'vitest'
import { startingOf } from './group-operation-choice.ts'

const group = { chosen: ['lift', 'pump'], held: ['pump'], single: false, despite: false }

test('a group goes without what is held', () => expect(startingOf(group)).toEqual(['lift']))

test('a group goes with what is held when the person wants that', () => {
  expect(startingOf({ ...group, despite: true })).toEqual(['lift', 'pump'])
})

test('a single line goes though it is held, and the server says all that stands against it', () => {
  expect(startingOf({ ...group, chosen: ['pump'], single: true })).toEqual(['pump'])
})

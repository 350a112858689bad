import { expect, test } from 'vitest'
import { startingOf } from './group-operation-choice.ts'

const group = { chosen: ['lift', 'pump'], blocked: ['pump'], single: false, despite: false }

test('a group goes without what is blocked', () => expect(startingOf(group)).toEqual(['lift']))

test('a group goes with what is blocked when the person wants that', () => {
  expect(startingOf({ ...group, despite: true })).toEqual(['lift', 'pump'])
})

test('a single line goes though it is blocked, and the server says all that stands against it', () => {
  expect(startingOf({ ...group, chosen: ['pump'], single: true })).toEqual(['pump'])
})

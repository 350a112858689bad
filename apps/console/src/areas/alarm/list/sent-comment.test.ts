import { expect, test } from 'vitest'
import { toSend } from './sent-comment.ts'

const photo = new File(['photo'], 'photo.jpg')
let readings = 0
const read = async () => {
  readings += 1
  return `photo ${readings}`
}

test('what is sent again is the same comment with the same photo, and anything else is another comment', async () => {
  const first = await toSend(null, { text: '端子发热', photo: null }, read)
  expect(first.data).toBe(null)
  expect(await toSend(first, { text: '端子发热', photo: null }, read)).toBe(first)
  const withPhoto = await toSend(first, { text: '端子发热', photo }, read)
  expect(withPhoto.id).not.toBe(first.id)
  expect(await toSend(withPhoto, { text: '端子发热', photo }, read)).toBe(withPhoto)
  const reworded = await toSend(withPhoto, { text: '端子已紧固', photo }, read)
  expect([reworded.id === withPhoto.id, reworded.text]).toEqual([false, '端子已紧固'])
})

test('a photo that could not be read is read again', async () => {
  const failed = await toSend(null, { text: '端子发热', photo }, () => Promise.reject(new Error('no picture')))
  expect(failed.data).toBe('')
  expect((await toSend(failed, { text: '端子发热', photo }, read)).data).toMatch(/^photo/)
})

import { lineReadings, liveTicket } from '@linewarden/contract'
import { expect, test, vi } from 'vitest'
import { inTestBrowser } from '../../../dev/test-browser.ts'

inTestBrowser()

test('a wall asks the server for its own calls alone: what it may not is refused on the wall, and stands in no log', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url).pathname)
    const Data = { Ticket: 't', ExpiresAt: 1 }
    return new Response(JSON.stringify({ Code: 1, Message: '', Data }), { headers: { 'Content-Type': 'application/json' } })
  })
  const [{ api }, { sit }, { answerFromView }, { wallUser }] = await Promise.all([
    import('../../../app/net/api.ts'),
    import('../../../app/session/session.ts'),
    import('./seat-answers.ts'),
    import('./wall-user.ts'),
  ])
  answerFromView()
  sit('seat', 'token', wallUser('seat', 'CN'))
  const readings = api.call(lineReadings, { params: { ControllerID: 'A', LineNo: 1 }, query: { From: 0, To: 1 } })
  await expect(readings).rejects.toMatchObject({ message: 'access denied' })
  expect(asked).toEqual([])
  await api.call(liveTicket)
  expect(asked).toEqual(['/api/v1/live/ticket'])
})

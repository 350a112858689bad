import { CallError } from '@linewarden/client'
import { answerRound, finishRound, getRound } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { api } from '../../../app/net/api.ts'
import { touched } from '../../../app/net/touched.ts'
import type { Entry, Outcome } from '../../../app/offline/entry.ts'
import type { Sender } from '../../../app/offline/outbox.ts'
import { phoneId } from '../../../app/offline/phone-id.ts'
import type { RoundEntry } from './round-now.ts'

/** Long enough for a slow network, short enough that a dead one is given up. */
const timeoutMs = 30_000

const flaggedText: Text = {
  zh: '另一台手机对此项答得不同，两者都已保留，缺陷照样计入；请重新获取此巡检，核对后再答，否则由审核人决定',
  en: 'Another phone answered this item differently. Both are kept, and a defect counts. Fetch the round again, compare and answer anew; else the approver decides',
}
const olderText: Text = {
  zh: '另一台手机对此项的答案更新，以其为准；请重新获取此巡检，核对后需要时再答',
  en: 'Another phone has answered this item since, and its answer counts. Fetch the round again, compare, and answer anew if need be',
}
const wrongText: Text = {
  zh: '服务器没有这一站或这一项，或答案与之不符；请重新打开此巡检后再答',
  en: 'The server has no such stop or item, or the answer does not fit it. Open the round anew and answer again',
}
const takenText = (person: string): Text => ({
  zh: `该站已由 ${person} 先到；您的答案照常发送并保留`,
  en: `${person} arrived at this stop first. Your answers are sent and kept all the same`,
})

const roundIdOf = ({ thing }: Entry): string => thing.slice('round:'.length)

/** Arrivals and answers of one round. The server names each of them. */
export const answerSender: Sender = {
  most: 100,
  async send(entries) {
    const own = entries as readonly RoundEntry[]
    const [head] = own
    if (!head) return []
    const reply = await api.call(
      answerRound,
      {
        params: { RoundID: roundIdOf(head) },
        body: {
          ...{ PhoneID: phoneId(), Now: Date.now() },
          Arrivals: own.flatMap(({ body }) => (body.Does === 'arrive' ? [body.Arrival] : [])),
          Answers: own.flatMap(({ body, rev }) => (body.Does === 'answer' ? [{ ...body.Answer, Rev: rev }] : [])),
        },
      },
      { timeoutMs },
    )
    const arrivals = new Map(reply.Arrivals.map((each) => [each.StopID, each]))
    const answers = new Map(reply.Answers.map((each) => [`${each.StopID} ${each.ItemID} ${each.Rev}`, each.Outcome]))
    return own.flatMap(({ id, rev, body }): readonly Outcome[] => {
      if (body.Does === 'arrive') {
        const named = arrivals.get(body.Arrival.StopID)
        if (!named) return []
        if (named.Outcome === 'taken') return [{ id, rev, became: 'conflict', why: takenText(named.Person) }]
        return [
          { id, rev, became: named.Outcome === 'held' ? 'held' : 'refused', why: named.Outcome === 'held' ? null : wrongText },
        ]
      }
      const outcome = answers.get(`${body.Answer.StopID} ${body.Answer.ItemID} ${rev}`)
      if (outcome === undefined) return []
      // A phone sends its newest answer alone: what replaced it is somebody else's.
      if (outcome === 'older') return [{ id, rev, became: 'conflict', why: olderText }]
      if (outcome === 'wrong') return [{ id, rev, became: 'refused', why: wrongText }]
      return [{ id, rev, became: outcome === 'flagged' ? 'conflict' : 'held', why: outcome === 'flagged' ? flaggedText : null }]
    })
  },
}

/** That a round is finished: after all its answers and photos. Sent again after an answer was lost it is done already. */
export const finishSender: Sender = {
  most: 1,
  async send([entry]) {
    if (!entry) return []
    const { id, rev } = entry
    const RoundID = roundIdOf(entry)
    try {
      await api.call(finishRound, { params: { RoundID }, body: entry.body as object }, { timeoutMs })
    } catch (error) {
      if (!(error instanceof CallError) || error.message !== 'round state') throw error
      const { Round } = await api.call(getRound, { params: { RoundID } }, { timeoutMs })
      if (Round.State !== 'finished' && Round.State !== 'approved') throw error
    }
    await touched(finishRound)
    return [{ id, rev, became: 'held' }]
  },
}

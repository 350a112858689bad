import type { commandSteps, Reply } from '@linewarden/contract'
import { actorName } from '@linewarden/contract'
import i18next from 'i18next'
import { localised } from '../../ui/i18n.ts'
import { outcomeWord, stateWord, stepWord } from './command-words.ts'
import type { OrderCourse } from './steps-dialog.tsx'

type Evidence = Readonly<Record<string, unknown>>

/** The steps of one command, in words. */
export function commandCourse({ Entry, Steps }: Reply<typeof commandSteps>): OrderCourse {
  const { Command, LineName } = Entry
  return {
    what: i18next.t(`control:${Command.Action}`),
    about: [LineName, localised(actorName(Command.Actor)), stateWord(Command)].join(' · '),
    steps: Steps.map(({ State, At, Evidence: fact }) => ({
      At,
      became: stepWord({ State, Action: Command.Action }),
      because: becauseOf(fact, outcomeWord),
    })),
  }
}

/** The fact that made a step, as it was stored with it. `wordOf`: how the kind of order says why something was not done. */
export function becauseOf(fact: Evidence, wordOf: (code: string | null) => string | null): string {
  const reason = wordOf(typeof fact.reason === 'string' ? fact.reason : null) ?? '–'
  switch (fact.kind) {
    case 'sent':
    case 'tick':
    case 'restart':
      return i18next.t(`operations:facts.${fact.kind}`)
    case 'notSent':
      return i18next.t('operations:facts.notSent', { reason })
    case 'result':
      return fact.status === 'accepted'
        ? i18next.t('operations:facts.accepted')
        : fact.reason === 'seen_id'
          ? i18next.t('operations:facts.seenId')
          : i18next.t('operations:facts.refused', { reason })
    case 'position':
      return i18next.t('operations:facts.position', {
        value: fact.value === 'open' ? i18next.t('operations:open') : i18next.t('operations:closed'),
      })
    case 'report':
      return i18next.t(fact.proves === true ? 'operations:facts.proves' : 'operations:facts.contradicts')
    case 'state':
      return i18next.t('operations:facts.state', { value: String(fact.value) })
    case 'measured':
      return i18next.t('operations:facts.measured', { ms: String(fact.tripMs) })
    default:
      return i18next.t('operations:facts.authorised', { fence: String(fact.fence ?? '–') })
  }
}

import { CallError } from '@linewarden/client'
import type { login, Reply } from '@linewarden/contract'
import { redeemSignOn } from '@linewarden/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../app/net/api.ts'
import { isRemembered, remember, takeUp } from '../../app/session/remembered.ts'
import { begin, lookAgain, useSession } from '../../app/session/session.ts'
import { takeSignOnBind } from '../../app/session/sign-on.ts'

interface Problem {
  readonly title: string
  readonly hint: string
}

export interface Entry {
  readonly busy: boolean
  readonly problem: Problem | null
  /** A second factor is asked for: the half of the sign-in that is done. */
  readonly step: string | null
  /** Follows an attempt to its session, its second step, or its refusal. */
  enter(attempt: Promise<Reply<typeof login> | null>): Promise<void>
  showProblem(problem: Problem): void
  /** Back to account and password. */
  back(): void
}

/** The ways in: account and password, the second step, a remembered device, and coming back from the organisation's own sign-on. */
export function useEntry(): Entry {
  const { t } = useTranslation(['account', 'app'])
  const [busy, setBusy] = useState(isRemembered)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [step, setStep] = useState<string | null>(null)

  const enter = async (attempt: Promise<Reply<typeof login> | null>) => {
    setBusy(true)
    setProblem(null)
    try {
      const reply = await attempt
      if (reply) {
        remember(reply.Handle)
        begin(reply.UserID, reply.Token)
      }
    } catch (error) {
      // Another tab may have taken this device up meanwhile.
      lookAgain()
      const asked = stepIn(error)
      if (asked !== null) setStep(asked)
      else {
        if (error instanceof CallError && error.message === 'sign-in step over') setStep(null)
        setProblem(problemOf(error))
      }
    }
    setBusy(false)
  }

  const problemOf = (error: unknown): Problem => {
    if (!(error instanceof CallError)) return { title: messageOf(error), hint: '' }
    if (error.problem.kind !== 'refusal') return { title: t('app:unreachable'), hint: t('offlineHint') }
    const left = error.problem.failure.Detail?.left
    return { title: messageOf(error), hint: typeof left === 'number' ? t('left', { left }) : '' }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with what the page was opened with.
  useEffect(() => {
    const came = new URLSearchParams(location.hash.slice(1))
    const [ticket, refused] = [came.get('ticket'), came.get('refused')]
    // A ticket is for this moment, not for the history.
    if (ticket ?? refused) history.replaceState(history.state, '', location.pathname + location.search)
    // Whoever is signed in here stays who they are, whatever link they came by.
    if (useSession.getState().token !== '') return
    const bind = ticket === null ? null : takeSignOnBind()
    if (ticket !== null && bind !== null) void enter(api.call(redeemSignOn, { body: { Ticket: ticket, Bind: bind } }))
    else if (ticket !== null) setProblem({ title: t('signOnFailed'), hint: '' })
    else if (refused) setProblem({ title: refused === 'unknown' ? t('signOnUnknown') : t('signOnFailed'), hint: '' })
    else if (isRemembered()) void enter(takeUp(api))
  }, [])

  return {
    busy,
    problem,
    step,
    enter,
    showProblem: setProblem,
    back() {
      setStep(null)
      setProblem(null)
    },
  }
}

function stepIn(error: unknown): string | null {
  if (!(error instanceof CallError) || error.problem.kind !== 'refusal' || error.message !== 'second factor needed') return null
  const step = error.problem.failure.Detail?.step
  return typeof step === 'string' ? step : null
}

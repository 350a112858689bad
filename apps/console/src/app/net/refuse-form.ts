import { CallError } from '@linewarden/client'
import { localised } from '../../ui/i18n.ts'
import type { Form } from '../../ui/use-form.ts'
import { messageOf } from './api.ts'
import { queryClient } from './query-client.ts'

/** Puts what the server refuses at the fields it names; answers what is left to say, empty when everything stands at its field. */
export function refuseForm<T extends object>(form: Form<T>, error: unknown): string {
  // Somebody else was quicker: the list behind the form shows what they made of it, while the form keeps what was written here.
  if (error instanceof CallError && error.message === 'changed meanwhile') void queryClient.invalidateQueries()
  const problems = error instanceof CallError && error.problem.kind === 'refusal' ? (error.problem.failure.Problems ?? []) : []
  if (problems.length === 0) return messageOf(error)
  return form.refuse(problems.map(({ Path, Text }) => ({ name: Path.split('.').at(-1) ?? '', text: localised(Text) }))).join(' ')
}

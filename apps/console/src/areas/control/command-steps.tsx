import { commandSteps } from '@linewarden/contract'
import { useCall } from '../../app/net/use-call.ts'
import { commandCourse } from './step-words.ts'
import { StepsDialog } from './steps-dialog.tsx'

/** Every step of one command, with the fact that made it. */
export function CommandSteps({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useCall(commandSteps, { params: { CommandID: id } }, { select: commandCourse })
  return <StepsDialog id={id} query={query} onClose={onClose} />
}

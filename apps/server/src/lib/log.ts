import type { DestinationStream, LevelWithSilent, Logger } from 'pino'
import { pino } from 'pino'

/** The log of the server. Of a connection that broke it leaves out what the driver keeps of it, which is all that it was asked. */
export const createLog = (level: LevelWithSilent, stream: DestinationStream): Logger =>
  pino({ level, redact: { paths: ['err.client'], remove: true } }, stream)

export { lateCommands } from './faults/late-commands.ts'
export { raceTwoOperators } from './faults/races.ts'
export * from './seed.ts'
export * from './stack.ts'

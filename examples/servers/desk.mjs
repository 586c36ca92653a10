// A server over stdio, for examples that mount one: a calculator, a clock, text statistics and a JSON reader.
import { createGateway, exampleTools, serve } from 'pegboard'

await serve(createGateway({ tools: exampleTools() }), { stdio: true })

#!/usr/bin/env node
// Committed as plain JavaScript so that a package manager can link the command before anything is built.
import '../dist/cli/main.js';

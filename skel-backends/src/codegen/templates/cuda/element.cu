${untrapped}
${load}
${apply}
${trap}
${store}
